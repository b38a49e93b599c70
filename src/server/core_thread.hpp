// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/core.hpp"
#include "net/listener.hpp"
#include "runtime/loop.hpp"
#include "server/blocked_times.hpp"
#include "server/proxied_client.hpp"
#include "server/serve.hpp"
#include "server/connection_balancer.hpp"
#include "tracing/setup.hpp"
#include "web/application.hpp"

#include <apus/client_info.hpp>
#include <apus/serve.hpp>
#include <apus/task_scope.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace apus::server {

class core_thread;

/// State shared by all cores: created before the first core, destroyed after the last core.
struct shared_state {
    shared_state(const serve_options&, unsigned cores);
    ~shared_state();

    const serve_options& options;
    bool administers = false;                   ///< The thread of `administration`, not a core of the server.
    web::process_reporter* reporter = nullptr;  ///< Used by routes that report about the process. May be null.
    const reload_counts* reloads = nullptr;     ///< Null for programs without settings.
    network_list proxies{};
    connection_balancer connections;
    runtime::memory_budget memory;
    std::vector<std::unique_ptr<core_thread>> cores;
    blocked_times blocked{};
    std::atomic<unsigned> draining = 0;  ///< Cores that no longer hand connections over.
    int state_eventfd = -1;              ///< An eventfd that is signaled when a core changes its state.
};

/// A serving thread with its own loop, app, and sockets (one for each listener).
class core_thread final : http::core::observer, proxied_client::owner {
public:
    core_thread(shared_state&, unsigned number, detail::maker, std::vector<net::listener>);
    core_thread(const core_thread&) = delete;
    core_thread& operator=(const core_thread&) = delete;
    ~core_thread();

    void start() {
        thread_ = std::thread([this] { run(); });
    }

    enum class state : int {
        starting,
        ready,
        failed,
        ended
    };
    state now() const noexcept { return state_.load(std::memory_order_acquire); }
    const std::string& failure() const noexcept { return failure_; }  ///< Valid in state `failed`.
    const std::string& backend() const noexcept { return backend_; }  ///< Valid in state `ready` and later.
    runtime::activity& doing() noexcept { return loop_->doing(); }    ///< Valid in state `ready` and later.
    pthread_t thread() noexcept { return thread_.native_handle(); }
    bool has_reports() const noexcept { return has_reports_; }  ///< Valid in state `ready`: the app uses the reporter.
    runtime::loop& loop() noexcept { return *loop_; }           ///< Valid in state `ready` and later.
    http::core* http_core() noexcept { return core_.get(); }    ///< On the core's thread; null if the core has ended.

    /// Calls `read(app, core)` unless the core has ended. From any thread.
    /// The core continues to serve during the call, but does not end before the call returns.
    template <class F>
    void inspect(F read) {
        const std::lock_guard lock(inspected_);
        if (exposed_) read(std::as_const(*app_), *core_);
    }

    /// A health check that runs on this core. `ended` is called with the outcome on the thread of `to`.
    struct check_run : runtime::posted_call {
        core_thread* of;
        runtime::loop* to;
        std::size_t number;
        std::uint64_t nanoseconds = 0;
        result<void> outcome = fail(503, "the core has not run the check");
        void (*ended)(check_run&) noexcept;  ///< Takes ownership of the run.
        void* with;
    };
    /// Runs a health check of the app, then posts the run to the loop `to`. From any thread.
    /// If the check cannot be run to its end, the outcome is an error.
    void start_check(std::unique_ptr<check_run>) noexcept;
    bool spawn(task<>);  ///< Starts a task of the server on this core's thread. Returns false if the core has ended.

    // The following functions may be called from any thread, once each.
    /// Lets another process continue with the sockets when this core ends. Call before `begin`.
    void share_listeners() noexcept {
        for (auto& l : listeners_) l.hand_over();
    }
    /// Takes ownership of sockets that an earlier process has shared until now. Call after `begin`.
    void own_listeners() noexcept;
    /// Starts to accept. Requires all cores to be ready, since each may be handed a connection.
    void begin() noexcept;
    void begin_background() noexcept;  ///< Starts the background tasks of the app.
    /// Stops accepting, and closes connections when they become idle.
    /// In a restart, the new process continues with the listening sockets. Idle connections stay open for a time, since
    /// their clients may send requests.
    void drain(http::drain_cause = http::drain_cause::stop) noexcept;
    void end_when_empty() noexcept;  ///< Ends the core when it has no connections. Requires all cores to drain.
    void abort() noexcept;           ///< Closes all connections, even with requests in flight.

    /// Pauses accepting while another process accepts from the same sockets, or ends the pause.
    /// `true` also accepts connections that the other process has left in the backlog. Call after `begin`, also
    /// repeatedly.
    void set_accepting(bool) noexcept;

    /// Posts a call to the core, which sets `answered` when it runs.
    /// From any thread, but only if `answered` is true.
    void ping() noexcept;
    bool answered() const noexcept { return answered_.load(std::memory_order_acquire) || now() >= state::failed; }

    /// How to treat an accepted connection.
    struct accept_options {
        bool secure = false;   ///< TLS.
        bool proxied = false;  ///< Expect a PROXY header first.
        runtime::protocols spoken = runtime::protocols::every;
    };
    void adopt(int fd,
               accept_options) noexcept;  ///< Takes over a connection that another core accepted. From any thread.

private:
    struct acceptor_handler;
    struct order : runtime::posted_call {
        core_thread* to;
        void (core_thread::*what)();
    };
    struct adopted_connection : runtime::posted_call {
        core_thread* to;
        int fd;
        accept_options how;
    };

    void run() noexcept;
    void serve();
    void set(state) noexcept;
    accept_options at(std::size_t listener) const;
    void accepted(int fd, accept_options);
    void open(int fd, accept_options);
    bool open(http::connection&, accept_options, std::uint64_t address);
    void reject(int fd) noexcept;
    bool open(http::connection&, proxied_client::connection_options, const codec::proxy::header&) override;
    void start(http::connection&) override;
    void rejected(const char* why) noexcept override;
    void stop_accepting();
    void accept_backlog(std::size_t listener);
    void answer_ping();
    void abandon_all();
    void connection_closed(http::connection&) noexcept override;
    void connections_evicted(std::uint64_t) noexcept override;
    void start_background();
    void start_accepting();
    void take_listeners();
    void pause_or_resume();
    void pause_accepting();
    void resume_accepting();
    void accept_backlogs();
    void start_draining();
    void allow_end();
    void await_tasks();
    void flush_traces() noexcept;
    void notify() const noexcept;
    void expose(bool) noexcept;
    struct check_answer;
    task<> run_check(check_answer);

    shared_state& shared_;
    const unsigned number_;
    const detail::maker make_;
    std::vector<net::listener> listeners_;
    std::vector<std::unique_ptr<acceptor_handler>> acceptors_;
    std::vector<std::unique_ptr<acceptor_handler>> paused_acceptors_;  // the kernel may still be cancelling them
    std::unique_ptr<runtime::loop> loop_;
    std::unique_ptr<tracing::core_tracing> tracing_;  // null: disabled
    std::unique_ptr<web::application> app_;
    std::unique_ptr<http::core> core_;
    std::atomic<state> state_ = state::starting;
    std::string failure_;
    std::string backend_;
    order background_, begin_, own_, drain_, end_, abort_, ping_, accept_;
    std::atomic<bool> accept_posted_ = false, should_accept_ = true;
    bool accepting_ = true;
    std::atomic<bool> answered_ = true;
    http::drain_cause drain_cause_ = http::drain_cause::stop;
    struct drain_timer : runtime::timer {
        core_thread* of;
    } drain_timer_,    // deadline for accepting connections that are already in the backlog
        pause_timer_;  // the same after `set_accepting(false)`
    bool draining_ = false;
    std::uint64_t drain_due_ = 0;  // deadline of the drain
    struct last_task : detail::completion {
        core_thread* of;
    } tasks_ended_{};
    task<>::handle waits_for_tasks_;
    std::optional<task_scope> tasks_;  // tasks of the server, such as health checks
    std::mutex inspected_;             // locked by the core only when it starts and ends
    bool exposed_ = false;
    bool has_reports_ = false;
    std::uint64_t eviction_logged_at_ = 0;  // time of the last log record about closed connections
    std::thread thread_;
};

}  // namespace apus::server
