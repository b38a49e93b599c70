// SPDX-License-Identifier: Apache-2.0
#include "server/administration.hpp"

#include "server/debug_endpoints.hpp"
#include "server/metrics_page.hpp"
#include "server/profiles.hpp"
#include "server/watchdog.hpp"

#include <apus/app.hpp>
#include <apus/log.hpp>
#include <apus/metrics.hpp>

#include <algorithm>
#include <new>
#include <utility>

#include <unistd.h>

namespace apus::server {
namespace {

// Memory budget for the administration's clients. It is separate from the budget of the cores, so that a flood of
// scrapes cannot use up the app's memory.
constexpr std::uint64_t memory = std::uint64_t{256} << 20;

serve_options options_of(const serve_options& served) {
    serve_options made;
    made.cores = 1;
    made.limits = served.limits;
    made.limits.memory = memory;
    made.limits.connections = 4096;
    made.limits.connections_per_address = 0;
    made.sandbox.mode = served.sandbox.mode;  // io_uring is restricted on this thread too
    return made;
}

std::unexpected<std::string> cannot(const std::string& where, std::string_view why) {
    return std::unexpected("cannot serve the administration on `" + where + "`: " + std::string(why));
}

}  // namespace

/// A report that a core requests from the administration's thread.
/// The core posts the object to that thread, and the thread posts it back. Only the core deletes the object.
struct administration::remote_report : runtime::posted_call {
    administration* by;
    runtime::loop* asker;
    web::report_kind kind;
    web::report_format format;
    std::optional<result<web::process_report>> outcome{};
    std::coroutine_handle<> waiter{};
    // Used by the core only.
    bool abandoned = false, taken = false;

    /// Posts the report back to the core, even if the task fails or never starts.
    /// Only the core may delete the report.
    struct sender {
        remote_report* of;
        explicit sender(remote_report& r) noexcept : of(&r) {}
        sender(const sender&) = delete;
        sender& operator=(const sender&) = delete;
        ~sender() {
            if (!of->outcome) of->outcome.emplace(fail(503, "the administration has ended"));
            of->send_back();
        }
    };
    static task<> make(remote_report& of) {
        const sender back(of);
        of.outcome.emplace(co_await of.by->report_here(of.kind, of.format).outcome());
    }
    void send_back() noexcept {
        run = [](runtime::posted_call& l) noexcept {
            auto& back = static_cast<remote_report&>(l);
            if (back.abandoned) delete &back;
            else back.waiter.resume();
        };
        asker->post(*this);
    }
    static void arrived(runtime::posted_call& l) noexcept;

    /// Waits for the report on the core. May be cancelled.
    struct wait {
        remote_report* of;

        explicit wait(remote_report* made) noexcept : of(made) {}
        wait(const wait&) = delete;
        wait& operator=(const wait&) = delete;
        ~wait() {
            if (of->taken) delete of;
            else of->abandoned = true;
        }
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> waiting) noexcept {
            of->waiter = waiting;
            of->by->thread_->loop().post(*of);
        }
        result<web::process_report> await_resume() noexcept {
            of->taken = true;
            return *std::move(of->outcome);
        }
    };
};

administration::administration(shared_state& served, const runtime::blocking_threads& blocking)
    : served_(served), blocking_(blocking), options_(options_of(served.options)), board_(*this), tasks_(served) {}

administration::~administration() { join(); }

std::expected<void, std::string> administration::open(const std::vector<inherited_socket>& sockets) {
    const std::string& where = served_.options.admin;
    if (where.empty()) {
        for (const auto& s : sockets) ::close(s.fd);
        return {};
    }
    auto parsed = net::endpoint::parse(where);
    if (!parsed) return cannot(where, parsed.error());
    if (parsed->url_scheme() == net::endpoint::scheme::https) return cannot(where, "it has no TLS; use http://");
    if (!parsed->is_unix()) parsed->set_scheme(net::endpoint::scheme::http);
    for (const auto& s : sockets) {
        if (listeners_.empty() && parsed->may_become(s.where))
            listeners_.push_back(net::listener::inherit(s.fd, *parsed, net::listener::sharing::until_owned));
        else ::close(s.fd);
    }
    if (listeners_.empty()) {
        auto opened = net::listener::open(*parsed);
        if (!opened) return std::unexpected(opened.error());
        listeners_.push_back(std::move(*opened));
    }
    url_ = listeners_[0].where().url();
    return {};
}

app administration::create_app() {
    app made;
    made.mount(health_endpoints());
    made.mount(metrics_endpoint());
    auto debug = made.group();
    const auto where = net::endpoint::parse(served_.options.admin);
    if (where && !where->is_unix()) debug.use(require_local_host);  // browsers cannot connect to a Unix socket
    debug.mount(debug_endpoints(requests_));
    debug.get("/debug/config", [this] { return settings(); });
    debug.get("/debug/tasks",
              [this](request& req, query<task_query> how) { return tasks_.respond(*thread_, req, *std::move(how)); });
    add_profiles(debug, served_.blocked, blocking_);
    return made;
}

void administration::set_settings(std::string shown) {
    const std::scoped_lock hold(settings_mutex_);
    settings_ = std::move(shown);
}

result<response> administration::settings() {
    const std::scoped_lock hold(settings_mutex_);
    if (settings_.empty()) return fail(404, "the program has no settings: it does not use apus::config");
    response made;
    made.body(settings_, "application/toml").header("cache-control", "no-store");
    return made;
}

void administration::start() {
    const bool mounted = std::ranges::any_of(served_.cores, [](const auto& core) { return core->has_reports(); });
    if (listeners_.empty() && !mounted) return;
    served_.cores[0]->inspect([this](const web::application& app, const http::core&) {
        for (const auto* check : app.checks()) board_.add(check->name, check->options);
    });
    shared_.emplace(options_, 1U);
    shared_->administers = true;
    shared_->reporter = this;
    shared_->state_eventfd = served_.state_eventfd;
    const detail::maker make{
        this, [](const void* self) { return static_cast<administration*>(const_cast<void*>(self))->create_app(); }};
    thread_ = std::make_unique<core_thread>(*shared_, 0U, make, std::move(listeners_));
    thread_->start();
}

void administration::begin() {
    board_.enter(operations::process_state::serving);
    if (thread_) thread_->begin();
}

void administration::drain(http::drain_cause why) noexcept {
    if (thread_ && !std::exchange(drains_, true)) thread_->drain(why);
}
bool administration::has_drained() const noexcept {
    return !thread_ || shared_->draining.load(std::memory_order_acquire) != 0;
}
void administration::end_when_empty() noexcept {
    if (thread_) thread_->end_when_empty();
}
void administration::abort() noexcept {
    if (!is(core_thread::state::ready)) return;
    drain();
    thread_->abort();
}
void administration::join() noexcept {
    tasks_.close();
    thread_.reset();
}

std::string administration::stalled() {
    const auto limit =
        static_cast<std::uint64_t>(std::max<std::int64_t>(served_.options.stalled_after.milliseconds(), 0));
    const std::uint64_t now = watchdog::clock();
    for (std::size_t i = 0; limit && i < served_.cores.size(); ++i) {
        if (const std::uint64_t busy = served_.cores[i]->doing().busy_time(now); busy > limit)
            return "core " + std::to_string(i) + " is blocked for " + std::to_string(busy) + " ms";
    }
    return {};
}

void administration::start_check(std::size_t number) {
    auto run = std::make_unique<core_thread::check_run>();
    run->to = &thread_->loop();
    run->number = number;
    run->with = this;
    run->ended = [](core_thread::check_run& done) noexcept {
        const std::unique_ptr<core_thread::check_run> mine(&done);
        auto& self = *static_cast<administration*>(done.with);
        const bool runs = self.is(core_thread::state::ready);
        if (runs)
            self.board_.check_ended(done.number, done.outcome ? nullptr : &done.outcome.error(), done.nanoseconds);
    };
    served_.cores[0]->start_check(std::move(run));
}

void administration::remote_report::arrived(runtime::posted_call& l) noexcept {
    auto& of = static_cast<remote_report&>(l);
    if (of.by->thread_ && of.by->thread_->spawn(make(of))) return;
    const sender back(of);  // the task has not begun
}

task<web::process_report> administration::report(web::report_kind kind, web::report_format format) {
    if (&runtime::loop::current() == &thread_->loop()) co_return co_await report_here(kind, format);
    auto* const made = new remote_report;
    made->by = this;
    made->asker = &runtime::loop::current();
    made->kind = kind;
    made->format = format;
    made->run = remote_report::arrived;
    remote_report::wait back(made);
    co_return co_await co_await back;
}

task<web::process_report> administration::report_here(web::report_kind kind, web::report_format format) {
    if (kind == web::report_kind::metrics) co_return web::process_report{200, metrics(format)};
    co_return co_await board_.report(kind == web::report_kind::live, format);
}

// Renders each format at most once in `max_age`, however many scrapes arrive.
std::shared_ptr<const std::string> administration::metrics(web::report_format format) {
    constexpr std::uint64_t max_age = 100;
    using enum operations::exposition_format;
    const auto wanted = format == web::report_format::protobuf      ? protobuf
                        : format == web::report_format::openmetrics ? openmetrics
                                                                    : text;
    rendered& known = rendered_[static_cast<unsigned>(wanted)];
    const std::uint64_t now = thread_->loop().now();
    if (known.text && now < known.due) return known.text;
    operations::exposition to(wanted);
    write_metrics(to, served_, blocking_);
    board_.describe(to);
    known.text = std::make_shared<const std::string>(std::move(to).finish());
    known.due = now + max_age;
    return known.text;
}

}  // namespace apus::server
