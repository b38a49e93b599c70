// SPDX-License-Identifier: Apache-2.0
#include "server/core_thread.hpp"

#include "http/connection.hpp"
#include "runtime/signal_stack.hpp"
#include "server/available_memory.hpp"
#include "tracing/recorder.hpp"

#include <apus/app.hpp>
#include <apus/log.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include <pthread.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace apus::server {
namespace {

void log_access(const http::access_record& r) {
    log::access({r.verb, r.target, r.status, r.bytes, r.microseconds, r.peer, r.id});
}

constexpr std::uint64_t cancellation_time = 10;  // milliseconds, in which the kernel ends a cancelled accept

// How long idle connections stay open during a restart: until 1 s before the drain deadline, but at least half of the
// drain time. Closing them earlier may lose a request in transit, and has no advantage: the new process serves
// meanwhile.
duration idle_grace(duration drain) {
    const auto all = drain.milliseconds();
    return milliseconds(std::max(all - 1000, all / 2));
}

}  // namespace

shared_state::shared_state(const serve_options& o, unsigned count)
    : options(o), connections(count), memory(o.limits.memory ? o.limits.memory : default_memory(), count) {}
shared_state::~shared_state() = default;

/// Accepts connections of one listener, and pauses when descriptors run out.
struct core_thread::acceptor_handler final : runtime::acceptor, runtime::timer {
    acceptor_handler(core_thread& for_core, int fd, accept_options options)
        : acceptor(fd), core(for_core), how(options) {
        fire = [](runtime::timer& t) noexcept { static_cast<acceptor_handler&>(t).go_on(); };
    }
    void accepted(int fd) override { core.accepted(fd, how); }
    void failed(int error) override {
        const std::uint64_t now = core.loop_->now();
        rests = true;
        if (failures++ == 0) {
            began = told = now;
            log::warn("accept failed; retrying every 100 ms", {"reason", std::strerror(error)});
        } else if (now - told >= report_interval) {
            told = now;
            log::warn("accept still fails", {"reason", std::strerror(error)}, {"failures", failures},
                      {"seconds", (now - began) / 1000});
        }
        core.loop_->timers().add(*this, now + 100);
    }
    // Accepts again after a pause. Logs recovery after a second without failures.
    void go_on() noexcept {
        const std::uint64_t now = core.loop_->now();
        if (!std::exchange(rests, false))
            return log::warn("accept works again", {"failures", std::exchange(failures, 0)},
                             {"seconds", (now - began) / 1000});
        core.loop_->timers().add(*this, now + 1000);
        core.loop_->io().accept(*this);
    }
    static constexpr std::uint64_t report_interval = 10'000;  // milliseconds

    core_thread& core;
    const accept_options how;
    std::uint64_t began = 0, told = 0, failures = 0;
    bool rests = false;
};

core_thread::core_thread(shared_state& c, unsigned number, detail::maker make, std::vector<net::listener> listeners)
    : shared_(c), number_(number), make_(make), listeners_(std::move(listeners)) {
    auto prepare = [this](order& o, void (core_thread::*what)()) {
        o.to = this;
        o.what = what;
        o.run = [](runtime::posted_call& l) noexcept {
            auto& self = static_cast<order&>(l);
            if (self.to->core_) (self.to->*self.what)();  // otherwise the core has already ended
        };
    };
    prepare(background_, &core_thread::start_background);
    prepare(begin_, &core_thread::start_accepting);
    prepare(own_, &core_thread::take_listeners);
    prepare(drain_, &core_thread::start_draining);
    prepare(end_, &core_thread::allow_end);
    prepare(abort_, &core_thread::abandon_all);
    prepare(ping_, &core_thread::answer_ping);
    prepare(accept_, &core_thread::pause_or_resume);
}

core_thread::~core_thread() {
    if (thread_.joinable()) thread_.join();
}

void core_thread::begin_background() noexcept { loop_->post(background_); }
void core_thread::begin() noexcept { loop_->post(begin_); }
void core_thread::own_listeners() noexcept { loop_->post(own_); }
void core_thread::set_accepting(bool on) noexcept {
    should_accept_.store(on, std::memory_order_release);
    if (!accept_posted_.exchange(true, std::memory_order_acq_rel)) loop_->post(accept_);
}
void core_thread::drain(http::drain_cause why) noexcept {
    drain_cause_ = why;
    loop_->post(drain_);
}
void core_thread::end_when_empty() noexcept { loop_->post(end_); }
void core_thread::abort() noexcept { loop_->post(abort_); }

void core_thread::ping() noexcept {
    answered_.store(false, std::memory_order_release);
    loop_->post(ping_);
}

void core_thread::answer_ping() {
    answered_.store(true, std::memory_order_release);
    notify();
}

void core_thread::start_accepting() {
    for (auto& l : listeners_) {
        acceptors_.push_back(std::make_unique<acceptor_handler>(*this, l.fd(), at(acceptors_.size())));
        loop_->io().accept(*acceptors_.back());
    }
}

void core_thread::take_listeners() {
    for (auto& l : listeners_) l.own();
}

void core_thread::pause_or_resume() {
    // An exchange, since a load of `should_accept_` may take effect before an earlier store: the call would be lost.
    accept_posted_.exchange(false, std::memory_order_acq_rel);
    const bool on = should_accept_.load(std::memory_order_acquire);
    if (draining_) return;
    const bool before = std::exchange(accepting_, on);
    if (on) before ? accept_backlogs() : resume_accepting();
    else if (before) pause_accepting();
}

// After the cancellation, this process accepts the backlog once more: see `start_draining`.
void core_thread::pause_accepting() {
    for (auto& g : acceptors_) {
        loop_->io().stop_accepting(*g);
        loop_->timers().remove(*g);
    }
    pause_timer_.of = this;
    pause_timer_.fire = [](runtime::timer& t) noexcept {
        auto& self = *static_cast<drain_timer&>(t).of;
        self.paused_acceptors_.clear();  // of earlier pauses
        self.accept_backlogs();
    };
    loop_->timers().add(pause_timer_, loop_->now() + cancellation_time);
}

// The kernel may have notified only the other process of connections in the backlog.
void core_thread::resume_accepting() {
    loop_->timers().remove(pause_timer_);
    for (std::size_t i = 0; i < acceptors_.size(); ++i) {
        paused_acceptors_.push_back(std::move(acceptors_[i]));
        acceptors_[i] = std::make_unique<acceptor_handler>(*this, listeners_[i].fd(), at(i));
        loop_->io().accept(*acceptors_[i]);
    }
    accept_backlogs();
}

void core_thread::accept_backlogs() {
    for (std::size_t i = 0; i < listeners_.size(); ++i) accept_backlog(i);
}

void core_thread::start_background() { app_->start_background(number_ == 0); }

void core_thread::start_draining() {
    draining_ = true;
    loop_->timers().remove(pause_timer_);
    drain_due_ = core_->due_in(shared_.options.drain);
    app_->stop_background();
    const bool restarts = drain_cause_ == http::drain_cause::restart;
    for (std::size_t i = 0; i < acceptors_.size(); ++i) {
        if (restarts) listeners_[i].hand_over();
        if (!listeners_[i].shared()) {
            listeners_[i].refuse_new();
        } else {
            loop_->io().stop_accepting(*acceptors_[i]);
            loop_->timers().remove(*acceptors_[i]);
        }
    }
    core_->drain(drain_cause_, restarts ? idle_grace(shared_.options.drain) : http::core::stop_grace);
    // Closing a listener resets the connections in its backlog, although their clients may have sent a request. So
    // these connections are accepted before the listener is closed. The listener already refuses new connections.
    // This process no longer accepts from shared listeners. The kernel notifies only one process of a connection. If
    // the kernel notified this process while accepting was being cancelled, the other process does not see the
    // connection. The cancellation is complete after two event loop iterations; then this process accepts the backlog
    // once more.
    constexpr std::uint64_t handshake = 50;  // milliseconds
    drain_timer_.of = this;
    drain_timer_.fire = [](runtime::timer& t) noexcept { static_cast<drain_timer&>(t).of->stop_accepting(); };
    loop_->timers().add(drain_timer_, loop_->now() + (restarts ? cancellation_time : handshake));
}

void core_thread::allow_end() {
    if (core_->connections.closed()) return;
    core_->connections.close({[](void* self) noexcept { static_cast<core_thread*>(self)->await_tasks(); }, this});
}

// Waits for background tasks that handlers have started.
void core_thread::await_tasks() {
    tasks_ended_.of = this;
    tasks_ended_.run = [](detail::completion* c) noexcept { static_cast<last_task*>(c)->of->flush_traces(); };
    waits_for_tasks_ = app_->tasks_ended().release();
    waits_for_tasks_.promise().done = &tasks_ended_;
    waits_for_tasks_.resume();
}

// Sends the last spans, and ends the core before the drain deadline in any case.
void core_thread::flush_traces() noexcept {
    if (!tracing_) return loop_->stop();
    constexpr std::uint64_t reserve = 100;  // milliseconds, for the teardown of the core
    const std::uint64_t left = drain_due_ > loop_->now() + reserve ? drain_due_ - loop_->now() - reserve : 0;
    const duration until_deadline = milliseconds(static_cast<std::int64_t>(left));
    tracing_->flush(
        std::min(tracing_->flush_limit(), until_deadline),
        [](void* self) noexcept { static_cast<core_thread*>(self)->loop_->stop(); }, this);
}

void core_thread::abandon_all() {
    if (tracing_) tracing_->abort();
    for (auto* connection = core_->first; connection;) {
        auto* next = connection->next();
        connection->abandon();
        connection = next;
    }
    app_->cancel_tasks();
    allow_end();
}

void core_thread::notify() const noexcept {
    std::uint64_t one = 1;
    [[maybe_unused]] auto n = write(shared_.state_eventfd, &one, sizeof one);
}

void core_thread::set(state s) noexcept {
    state_.store(s, std::memory_order_release);
    notify();
}

void core_thread::run() noexcept {
    const runtime::signal_stack stack;
    try {
        serve();
        set(state::ended);
    } catch (const std::exception& e) {
        failure_ = e.what();
        set(state::failed);
    } catch (...) {
        failure_ = "an exception not derived from std::exception";
        set(state::failed);
    }
}

void core_thread::serve() {
    pthread_setname_np(pthread_self(),
                       (shared_.administers ? "apus-admin" : "core " + std::to_string(number_)).c_str());
    const char* wanted = std::getenv("APUS_IO");
    std::string why;
    auto io = runtime::make_backend(wanted ? wanted : "", why, shared_.options.sandbox.mode != sandbox_mode::off);
    if (!io) throw std::runtime_error("APUS_IO=" + std::string(wanted ? wanted : "") + ": " + why);
    backend_ = io->name();
    if (number_ == 0 && !why.empty() && !shared_.administers)
        log::info("using epoll instead of io_uring", {"reason", why});
    loop_ = std::make_unique<runtime::loop>(std::move(io));
    loop_->memory().use(shared_.memory);
    const bool traces_middleware = shared_.options.tracing && shared_.options.tracing->middleware();
    app_ = std::make_unique<web::application>(make_.call(make_.self), traces_middleware);
    core_ = http::make_core(*loop_, *app_, shared_.options.limits);
    core_->watcher = this;
    core_->keeps_requests = !shared_.options.admin.empty();  // empty for the administration's own thread too
    if (shared_.options.tracing) {
        tracing_ = shared_.options.tracing->start(*loop_);
        core_->traces = &tracing_->records();
        core_->logs = tracing_->logs();
        core_->traces->summarizes = core_->keeps_requests;
    }
    has_reports_ = shared_.reporter && app_->connect(*shared_.reporter);
    tasks_.emplace(task_scope_options{.on_failure = task_failure::only_logged, .limit = 100'000, .name = "server"});
    expose(true);
    if (shared_.options.access_log) core_->log_access = log_access;
    loop_->doing().sleeps();
    set(state::ready);
    // An exception ends the process (decision 0026): without this core, the connections of its sockets would hang.
    [this]() noexcept { loop_->run(); }();
    loop_->timers().remove(drain_timer_);
    loop_->timers().remove(pause_timer_);
    if (waits_for_tasks_) waits_for_tasks_.destroy();
    expose(false);
    tasks_.reset();
    core_.reset();
    app_.reset();
    tracing_.reset();
    loop_->settle();
    loop_->doing().sleeps();
    // The loop is not destroyed: other threads may still post calls to it.
}

void core_thread::expose(bool on) noexcept {
    const std::lock_guard lock(inspected_);
    exposed_ = on;
}

bool core_thread::spawn(task<> t) { return core_ && tasks_ && tasks_->try_spawn(std::move(t)); }

/// Owns a run, and posts it back when it is destroyed: even if the task of the check never starts.
struct core_thread::check_answer {
    std::unique_ptr<check_run> run;

    explicit check_answer(check_run& of) noexcept : run(&of) {}
    check_answer(check_answer&&) noexcept = default;
    check_answer& operator=(check_answer&&) = delete;
    ~check_answer() {
        if (!run) return;
        runtime::loop& to = *run->to;
        run->run = [](runtime::posted_call& l) noexcept {
            static_cast<check_run&>(l).ended(static_cast<check_run&>(l));
        };
        to.post(*run.release());
    }
};

void core_thread::start_check(std::unique_ptr<check_run> run) noexcept {
    run->of = this;
    run->run = [](runtime::posted_call& l) noexcept {
        check_answer answer(static_cast<check_run&>(l));
        core_thread& self = *answer.run->of;
        try {
            if (self.core_) self.spawn(self.run_check(std::move(answer)));
        } catch (const std::exception&) {
            return;  // out of memory: `answer` reports that the check has not run
        }
    };
    loop_->post(*run.release());
}

task<> core_thread::run_check(check_answer answer) {
    check_run& run = *answer.run;
    const std::uint64_t began = http::core::nanoseconds();
    run.outcome = co_await app_->run_check(run.number).outcome();
    run.nanoseconds = http::core::nanoseconds() - began;
}

void core_thread::connections_evicted(std::uint64_t count) noexcept {
    constexpr std::uint64_t quiet = 1000;  // milliseconds
    const std::uint64_t now = loop_->now();
    if (eviction_logged_at_ && now < eviction_logged_at_ + quiet) return;
    eviction_logged_at_ = now;
    log::warn("connections closed for lack of memory", {"closed", count}, {"held", loop_->memory().used()},
              {"budget", shared_.memory.bytes()});
}

void core_thread::stop_accepting() {
    for (auto& g : acceptors_) {
        loop_->io().stop_accepting(*g);
        loop_->timers().remove(*g);
    }
    // On a stop, a socket that the service manager keeps open is skipped: the next process accepts its backlog.
    const bool restarts = drain_cause_ == http::drain_cause::restart;
    for (std::size_t i = 0; i < acceptors_.size(); ++i)
        if (restarts || !listeners_[i].shared() || listeners_[i].borrowed()) accept_backlog(i);
    listeners_.clear();
    shared_.draining.fetch_add(1, std::memory_order_acq_rel);
    notify();
}

void core_thread::accept_backlog(std::size_t listener) {
    constexpr int longest_backlog = 65'536;  // ends the loop if clients connect as fast as this core accepts
    for (int fd, n = 0; n < longest_backlog; ++n) {
        // Not by the function accept4: ThreadSanitizer intercepts it, but does not see that io_uring closes the socket.
        // So it would report the next owner of the descriptor.
        fd = static_cast<int>(
            syscall(SYS_accept4, listeners_[listener].fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (fd < 0) return;
        accepted(fd, at(listener));
    }
}

}  // namespace apus::server
