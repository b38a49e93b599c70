// SPDX-License-Identifier: Apache-2.0
#include "server/task_collector.hpp"

#include "server/request_summary.hpp"
#include "server/task_report.hpp"
#include "server/watchdog.hpp"

#include <apus/negotiation.hpp>
#include <apus/sleep.hpp>
#include <apus/when_any.hpp>

#include <iterator>

namespace apus::server {
namespace {

// Between two collections, so that a flood of requests uses at most a few percent of a core's time.
constexpr duration collection_gap = apus::milliseconds(50);

task<> received(channel<bool> from) { (void)co_await from.receive(); }
task<> pause(duration time) { co_await sleep_for(time); }

bool wants_text(const task_query& how, const request& req) {
    if (how.format) return **how.format == "text";
    constexpr std::string_view types[] = {"application/json", "text/plain"};
    response refused;
    // A client that accepts neither format gets JSON.
    return detail::choose_type(req, types, std::size(types), refused) == 1;
}

}  // namespace

/// Represents the task that collects.
/// The destructor ends collections that the task has not completed.
struct task_collector::running {
    task_collector& of;
    std::shared_ptr<collection> current{};

    explicit running(task_collector& c) noexcept : of(c) { of.runs_ = true; }
    running(const running&) = delete;
    running& operator=(const running&) = delete;
    ~running() {
        of.runs_ = false;
        for (auto* each : {&current, &of.next_})
            if (auto ended = std::exchange(*each, {})) ended->end.close();
    }
};

void task_collector::use(runtime::loop* administration) noexcept {
    const std::scoped_lock hold(open_mutex_);
    administration_ = administration;
}

task<response> task_collector::respond(core_thread& on, const request& req, task_query how) {
    const auto done = co_await collect(on);
    if (!done->complete) co_await fail(503, "the administration is ending").expose();
    const bool as_text = wants_text(how, req);
    const auto limit = static_cast<std::size_t>(*how.limit);
    auto& text = done->texts[{as_text, limit}];
    if (text.empty()) text = as_text ? tasks_as_text(done->found, limit) : tasks_as_json(done->found, limit);
    response out;
    out.body(text, as_text ? "text/plain; charset=utf-8" : "application/json");
    out.header("cache-control", "no-store");
    detail::vary_by_accept(out);
    co_return out;
}

// A call does not join the collection in progress, which may already have read a core before the call.
task<std::shared_ptr<task_collector::collection>> task_collector::collect(core_thread& on) {
    if (!next_) next_ = std::make_shared<collection>();
    const auto mine = next_;
    if (!runs_) {
        use(&on.loop());
        if (!on.spawn(run())) mine->end.close(), next_.reset();
    }
    (void)co_await mine->end.receive();
    co_return mine;
}

task<> task_collector::run() {
    running now(*this);
    while (next_) {
        now.current = std::exchange(next_, {});
        co_await gather(*now.current);
        now.current->complete = true;
        now.current->end.close();
        now.current.reset();
        co_await sleep_for(collection_gap);
    }
}

task<> task_collector::gather(collection& to) {
    auto own = std::make_unique<task_snapshot>();
    own->take(runtime::loop::current().doing(), path);
    send_letters();
    if (missing_ != 0) co_await when_any(received(all_here_), pause(answer_time));
    (void)all_here_.try_receive();
    for (auto& l : letters_)
        if (l.is_awaited || (l.tasks && !l.is_away)) to.found.threads.push_back(take(l));
    missing_ = 0;
    to.found.threads.push_back({.name = "apus-admin", .tasks = std::move(own)});
}

// A letter that a blocked core has not read yet is not sent again.
void task_collector::send_letters() {
    while (letters_.size() < served_.cores.size()) {
        auto& made = letters_.emplace_back();
        made.of = this;
        made.number = letters_.size() - 1;
        made.core = served_.cores[made.number].get();
    }
    missing_ = 0;
    for (auto& l : letters_) {
        l.is_awaited = l.core->now() == core_thread::state::ready;
        if (!l.is_awaited) continue;
        ++missing_;
        if (l.is_away) continue;
        l.tasks = std::make_unique<task_snapshot>();
        l.is_away = true;
        l.run = read;
        l.core->loop().post(l);
    }
}

// On the core's thread; or, if the core has ended, on the thread that destroys its loop.
void task_collector::read(runtime::posted_call& call) noexcept {
    auto& l = static_cast<letter&>(call);
    if (l.core->now() == core_thread::state::ready) l.tasks->take(runtime::loop::current().doing());
    l.run = arrived;
    const std::scoped_lock hold(l.of->open_mutex_);
    if (l.of->administration_) l.of->administration_->post(l);
}

void task_collector::arrived(runtime::posted_call& call) noexcept {
    auto& l = static_cast<letter&>(call);
    l.is_away = false;
    if (!l.is_awaited) return l.tasks.reset();
    l.is_awaited = false;
    if (--l.of->missing_ == 0) (void)l.of->all_here_.try_send(true);
}

// Returns the tasks of a core that has responded, or what is known about a core that has not.
task_listing::thread task_collector::take(letter& l) {
    task_listing::thread made{.name = "core " + std::to_string(l.number), .tasks = {}};
    if (!std::exchange(l.is_awaited, false)) {
        made.tasks = std::move(l.tasks);
        return made;
    }
    runtime::activity& doing = l.core->doing();
    made.busy = doing.busy_time(watchdog::clock());
    const runtime::inspection looks(doing);
    const auto summary = request_summary::of(looks.request());
    made.method = summary.method;
    made.route = summary.route;
    made.id = summary.id;
    return made;
}

}  // namespace apus::server
