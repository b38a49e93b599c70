// SPDX-License-Identifier: Apache-2.0
#include "server/supervisor.hpp"

#include "http/protocol.hpp"
#include "runtime/security.hpp"
#include "runtime/signal_stack.hpp"
#include "server/available_memory.hpp"
#include "server/last_records.hpp"
#include "server/standard_output.hpp"

#include <apus/log.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <stdexcept>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace apus::server {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds certificate_poll_interval(1000);
constexpr milliseconds backlog_interval(50);       // while a new process crashes or stops on trial
constexpr milliseconds administration_grace(200);  // for scrapes in flight
constexpr milliseconds grace(1000);                // for handlers to return after a forced shutdown

bool is_administration(const inherited_socket& s) { return s.name == administration_socket; }

std::int64_t milliseconds_until(std::chrono::steady_clock::time_point when) {
    return std::chrono::ceil<milliseconds>(when - std::chrono::steady_clock::now()).count();
}

}  // namespace

supervisor::supervisor(detail::maker make, const serve_options& o, unsigned cores, reload_handler* on_reload)
    : blocking_(o.blocking),
      make_(make),
      watchdog_(o.blocked_after, o.blocked_stack),
      shared_(o, cores),
      administration_(shared_, blocking_),
      cores_(cores),
      confinement_(o, on_reload),
      pid_file_(o.pid_file),
      on_reload_(on_reload),
      restarted_(static_cast<bool>(predecessor_)) {
    crashes_.shut_down_on_crash(predecessor_.socket());
    shared_.state_eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    shared_.reporter = &administration_;
    if (on_reload) shared_.reloads = &on_reload->counts;
    limit_heap_fragmentation(shared_.memory.bytes());
}

supervisor::~supervisor() {
    administration_.join();
    crashes_.forget_cores();
    shared_.cores.clear();  // joins the threads
    close(shared_.state_eventfd);
}

int supervisor::run() {
    const runtime::signal_stack stack;
    if (shared_.options.sandbox.mode != sandbox_mode::off) starter_.emplace(program_, signals_.mask_before());
    if (auto started = start(); !started) return report_failure(started.error());
    if (auto confined = confine(); !confined) return report_failure(confined.error());
    if (auto left = await_predecessor(); !left) return report_failure(left.error());
    if (auto begun = begin(); !begun) return report_failure(begun.error());
    while (!signal_ && !handed_over_) {
        wait(shared_.options.tls ? certificate_poll_interval.count() : -1);
        check_predecessor();
        reload();
        check_certificates();
        check_successor();
    }
    serves_ = false;
    check_predecessor();  // perhaps the old process has released the service in the meantime
    leave_predecessor();  // if a signal stops this process before the old process has released the service
    release_due_.reset();
    if (!handed_over_) status_.stopping();
    const bool both = successor_ && successor_->has_accepted();
    if (both) successor_->request_stop(signal_);
    else end_successor();
    const int status = drain(handed_over_ ? http::drain_cause::restart : http::drain_cause::stop);
    const int other = both ? await_successor() : 0;
    if (both) return status ? status : other;
    return handed_over_ && parent_ ? parent_->run(signals_.fd()) : status;
}

// The last steps that can fail. In a restart, the old process still serves alone.
std::expected<void, std::string> supervisor::confine() {
    if (auto written = restarted_ ? pid_file_.prepare() : pid_file_.write(); !written) return written;
    return confinement_.enter();
}

std::expected<void, std::string> supervisor::begin() {
    // This record opens the log, without which crashes of handlers could not be logged.
    log::info("serving", {"cores", cores_}, {"io", shared_.cores[0]->backend()});
    choose_stored_sockets();
    if (auto begun = begin_background(); !begun) return begun;
    if (auto open = check_listeners(); !open) return open;
    for (auto& core : shared_.cores) core->begin();
    administration_.begin();
    serves_ = true;
    predecessor_.report_serving();
    if (predecessor_) await_release();
    if (!predecessor_) report_main_process();
    print_addresses();
    return {};
}

// A program that closes all descriptors, such as to become a daemon, would not serve, but take over in a restart.
std::expected<void, std::string> supervisor::check_listeners() const {
    const auto closed = std::ranges::find_if(sockets_, [](const passed_socket& s) { return !is_listening(s.fd); });
    if (closed == sockets_.end()) return {};
    return std::unexpected("the program has closed descriptor " + std::to_string(closed->fd) + ", a listening socket");
}

// Does not wait for a reader of standard output: restarts, signals and the service manager need this thread.
void supervisor::print_addresses() const {
    std::string text;
    if (!administration_.url().empty()) text = "administration on " + administration_.url() + "\n";
    for (const auto& url : urls_) text += "listening on " + url + "\n";
    if (!print_without_waiting(text)) log::warn("addresses not printed", {"reason", "standard output is blocked"});
}

std::expected<void, std::string> supervisor::start() {
    if (const auto& folder = shared_.options.crash_folder; !folder.empty()) {
        if (auto opened = crashes_.write_files(folder); !opened) return opened;
    }
    if (auto& tls = shared_.options.tls) {
        if (auto opened = tls->open(http::http2_enabled()); !opened) return opened;
    }
    if (auto opened = open_listeners(); !opened) return opened;
    for (auto& core : shared_.cores) core->start();
    if (auto started = await_start(); !started) return started;
    show_settings();
    administration_.start();
    while (administration_.is(state::starting)) wait(-1);
    if (administration_.is(state::failed)) return std::unexpected(administration_.failure());
    return confinement_.prepare();
}

std::expected<void, std::string> supervisor::await_start() {
    while (any(state::starting) && !signal_) wait(-1);
    if (!wait_for([this] { return !any(state::starting); }, drain_deadline())) {
        log::error("the server stops, but a `make_app` has not returned");
        write_last_records();
        _exit(signals_seen_ > 1 ? 128 + signal_ : handler_blocked);
    }
    watchdog_.count_in(shared_.blocked);
    for (auto& core : shared_.cores) {
        if (core->now() == state::failed) return std::unexpected(core->failure());
        watchdog_.watch(core->doing(), core->thread());
        crashes_.watch(core->doing(), core->thread());
    }
    return {};
}

// Reports the failure and aborts the cores that have started: they have no requests in flight.
int supervisor::report_failure(const std::string& why) {
    predecessor_.report_failure(why);  // first, since standard error may be blocked
    std::fprintf(stderr, "error: %s\n", why.c_str());
    for (auto& core : shared_.cores) {
        if (core->now() != state::ready) continue;
        core->drain();
        core->abort();
    }
    administration_.abort();
    return start_failed;
}

std::expected<void, std::string> supervisor::open_listeners() {
    try {
        shared_.proxies = shared_.options.proxies;
    } catch (const std::invalid_argument& e) {
        return std::unexpected(std::string("`proxies`: ") + e.what());
    }
    auto inherited = inherited_sockets(static_cast<bool>(predecessor_));
    if (!inherited) return std::unexpected(inherited.error());
    std::vector<inherited_socket> administered;
    std::ranges::copy_if(*inherited, std::back_inserter(administered), is_administration);
    std::erase_if(*inherited, is_administration);
    if (auto done = administration_.open(administered); !done) return done;
    auto opened = server::open_listeners(shared_.options, cores_, std::move(*inherited));
    if (!opened) return std::unexpected(opened.error());
    urls_ = std::move(opened->urls);
    sockets_ = std::move(opened->sockets);
    if (administration_.fd() >= 0) sockets_.push_back({administration_.fd(), std::string(administration_socket)});
    stale_store_ = opened->stale_store;
    for (unsigned i = 0; i < cores_; ++i)
        shared_.cores.push_back(std::make_unique<core_thread>(shared_, i, make_, std::move(opened->of_core[i])));
    return {};
}

bool supervisor::any(state s) const {
    return std::any_of(shared_.cores.begin(), shared_.cores.end(), [s](auto& core) { return core->now() == s; });
}

// Waits for a state change of a core, for a signal, or until the watchdog is due.
void supervisor::wait(std::int64_t longest) {
    const auto until = [&](std::int64_t next) {
        if (next >= 0) longest = longest < 0 ? next : std::min(longest, next);
    };
    constexpr pollfd nothing{-1, 0, 0};
    until(watchdog_.look(watchdog::clock()));
    until(report_life());
    const bool restarts = successor_ && !signal_;
    if (restarts) until(std::max(milliseconds_until(successor_->deadline()), std::int64_t{0}));
    if (restarts && successor_->is_on_trial() && successor_->has_stopped()) until(backlog_interval.count());
    if (release_due_) until(std::max(milliseconds_until(*release_due_), std::int64_t{0}));
    pollfd watched[] = {{signals_.fd(), POLLIN, 0},
                        {shared_.state_eventfd, POLLIN, 0},
                        {watchdog_.wakeup_fd(), POLLIN, 0},
                        restarts ? successor_->channel() : nothing,
                        successor_ ? successor_->exit() : nothing,
                        predecessor_ ? predecessor_.channel() : nothing};
    poll(watched, std::size(watched), static_cast<int>(std::min<std::int64_t>(longest, 1'000'000'000)));
    if (successor_ && signal_) successor_->has_ended();  // otherwise `look` reports the end
    for (const int counted : {shared_.state_eventfd, watchdog_.wakeup_fd()}) {
        std::uint64_t count;
        [[maybe_unused]] auto n = read(counted, &count, sizeof count);
    }
    take_signal();
}

void supervisor::take_signal() {
    const auto taken = signals_.read();
    if (taken.of == signals::kind::none) return;
    if (handed_over_ && parent_) return parent_->forward(taken.number);
    if (taken.of == signals::kind::restart) return begin_restart(taken.sender);
    // When a terminal hangs up, the kernel and the shell both send SIGHUP, so the signal arrives several times.
    if (taken.of == signals::kind::stop && taken.number == SIGHUP && signal_) return;
    if (taken.of == signals::kind::stop && std::exchange(stop_passed_on_, false)) return;
    if (taken.of == signals::kind::stop) {
        ++signals_seen_;
        signal_ = taken.number;
    } else if (shared_.options.tls || on_reload_) {
        reload_requested_ = true;
    } else {
        log::info("SIGHUP has no effect: there are no certificates to reload");
    }
}

void supervisor::check_certificates() {
    if (!shared_.options.tls || clock::now() < next_look_) return;
    shared_.options.tls->reload(false);
    next_look_ = clock::now() + certificate_poll_interval;
}

void supervisor::reload() {
    if (!std::exchange(reload_requested_, false)) return;
    reloaded_meanwhile_ = successor_.has_value();
    status_.reloading();
    if (shared_.options.tls) {
        shared_.options.tls->reload(true);
        next_look_ = clock::now() + certificate_poll_interval;
    }
    if (on_reload_) on_reload_->reload();
    show_settings();
    status_.ready();
}

// Passes the current settings to the administration, if it has a listener.
void supervisor::show_settings() {
    if (on_reload_ && !shared_.options.admin.empty()) administration_.set_settings(on_reload_->shown());
}

// Returns false on a timeout or a second signal.
bool supervisor::wait_for(const std::function<bool()>& done, clock::time_point until) {
    while (!done()) {
        const auto left = milliseconds_until(until);
        if (left <= 0 || signals_seen_ > 1) return false;
        wait(left);
    }
    return true;
}

supervisor::clock::time_point supervisor::drain_deadline() const {
    return clock::now() + std::chrono::nanoseconds(shared_.options.drain.nanoseconds());
}

// Gives load balancers time to see that the server is not ready, before the server refuses connections.
void supervisor::await_readiness_grace() {
    const auto grace_ends = clock::now() + std::chrono::nanoseconds(shared_.options.readiness_grace.nanoseconds());
    if (shared_.options.readiness_grace <= duration()) return;
    log::info("not ready; draining begins later", {"ms", shared_.options.readiness_grace.milliseconds()});
    wait_for([] { return false; }, grace_ends);
    signals_seen_ = std::min(signals_seen_, 1U);  // a second signal ends only this wait
}

int supervisor::drain(http::drain_cause why) {
    // In a restart, the service stays ready, and the new process serves the endpoints of the administration.
    if (why == http::drain_cause::restart) {
        administration_.drain(why);
    } else {
        administration_.set_draining();
        await_readiness_grace();
    }
    log::info("draining", {"connections", shared_.connections.total()});
    for (auto& core : shared_.cores) core->drain(why);
    const auto until = drain_deadline();
    if (!wait_for([this] { return shared_.draining.load(std::memory_order_acquire) == cores_; }, until))
        return abort_connections();
    for (auto& core : shared_.cores) core->end_when_empty();
    if (!wait_for([this] { return !any(state::ready); }, until)) return abort_connections();
    blocking_.stop();
    while (blocking_.running() != 0 && signals_seen_ < 2 && clock::now() < until) wait(5);
    if (blocking_.running() != 0) end_process("blocking calls have not returned");
    report_losses();
    stop_administration();
    log::info("stopped");
    return 0;
}

// Reports spans and log records that the receiver did not get before the cores ended.
void supervisor::report_losses() const {
    if (!shared_.options.tracing) return;
    const auto& losses = shared_.options.tracing->losses;
    const std::uint64_t spans = losses.spans, records = losses.log_records;
    if (spans + records)
        log::warn("the last traces or logs were not exported", {"spans", spans}, {"log_records", records});
}

// Scrapes in flight get their responses. Idle connections of scrapers are closed.
void supervisor::stop_administration() {
    administration_.drain();
    if (!wait_for([this] { return administration_.has_drained(); }, clock::now() + administration_grace)) {
        administration_.abort();
        return;
    }
    administration_.end_when_empty();
    if (!wait_for([this] { return !administration_.is(state::ready); }, clock::now() + administration_grace))
        administration_.abort();
}

int supervisor::abort_connections() {
    const bool told = signals_seen_ > 1;
    log::warn("stopped with requests in flight", {"connections", shared_.connections.total()},
              {"reason", told ? "a second signal" : "the deadline"});
    for (auto& core : shared_.cores) core->abort();
    const auto until = clock::now() + grace;
    const unsigned seen = signals_seen_;
    const auto goes_on = [&] { return clock::now() < until && signals_seen_ == seen; };
    while (any(state::ready) && goes_on()) wait(std::chrono::ceil<milliseconds>(until - clock::now()).count());
    for (unsigned i = 0; i < cores_; ++i)
        if (shared_.cores[i]->now() == state::ready) watchdog_.report_blocking_request(i, "the core has not returned");
    if (any(state::ready)) end_process("handlers have not returned");
    blocking_.stop();
    while (blocking_.running() != 0 && goes_on()) wait(5);
    if (blocking_.running() != 0) end_process("blocking calls have not returned");
    report_losses();
    administration_.abort();
    return told ? 128 + signal_ : static_cast<int>(cut_off);
}

// Calls _exit(2), since destructors would wait for the threads that have not returned, or destroy objects in use.
void supervisor::end_process(const char* what) {
    log::error("the process ends without running destructors", {"reason", what});
    write_last_records();
    _exit(signals_seen_ > 1 ? 128 + signal_ : static_cast<int>(handler_blocked));
}

}  // namespace apus::server
