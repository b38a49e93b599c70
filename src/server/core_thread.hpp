// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/core.hpp"
#include "net/listener.hpp"
#include "runtime/loop.hpp"
#include "server/proxied_client.hpp"
#include "server/spread.hpp"
#include "web/application.hpp"

#include <apus/client_info.hpp>
#include <apus/serve.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace apus::server {

class core_thread;

/// What all cores share, made before the first and destroyed after the last.
struct crew {
    crew(const serve_options&, unsigned cores);
    ~crew();

    const serve_options& options;
    network_list proxies{};
    /// So many of each core's listeners; behind the others stand proxies that send PROXY headers.
    std::size_t ordinary = SIZE_MAX;
    spread connections;
    runtime::memory_budget memory;
    std::vector<std::unique_ptr<core_thread>> cores;
    std::atomic<unsigned> draining = 0;  ///< Cores that hand no connection over any more.
    int news = -1;                       ///< An eventfd: some core has changed its state.
};

/// A thread that serves: a loop, an app of its own, and a socket of its own for each listener.
class core_thread final : http::core::observer, proxied_client::owner {
public:
    core_thread(crew&, unsigned number, detail::maker, std::vector<net::listener>);
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
    const std::string& failure() const noexcept { return failure_; }  ///< When failed.
    const std::string& backend() const noexcept { return backend_; }  ///< When ready.
    runtime::activity& doing() noexcept { return loop_->doing(); }    ///< From when it is ready.
    pthread_t thread() noexcept { return thread_.native_handle(); }

    // From any thread, each once.
    void begin() noexcept;           ///< Accepts, when all cores are ready: any of them may be handed a connection.
    void drain() noexcept;           ///< Accepts nothing more, and closes connections when they are idle.
    void end_when_empty() noexcept;  ///< When all cores drain: nothing can be handed over any more.
    void give_up() noexcept;         ///< Closes all connections, whatever is under way.

    /// What follows on a connection that was accepted.
    struct arrival {
        bool secure = false;   ///< TLS.
        bool proxied = false;  ///< A PROXY header, before anything else.
        runtime::protocols spoken = runtime::protocols::every;
    };
    void adopt(int fd, arrival) noexcept;  ///< From any thread: a connection that another core accepted.

private:
    struct gate_keeper;
    struct order : runtime::letter {
        core_thread* to;
        void (core_thread::*what)();
    };
    struct handover : runtime::letter {
        core_thread* to;
        int fd;
        arrival how;
    };

    void run() noexcept;
    void serve();
    void set(state) noexcept;
    arrival at(std::size_t listener) const;
    void accepted(int fd, arrival);
    void open(int fd, arrival);
    http::connection* make(int fd, arrival, std::uint64_t address);
    void turn_away(int fd) noexcept;
    runtime::stream* take_over(proxied_client&, const codec::proxy::header&) override;
    void begin(runtime::stream&) override;
    void given_up(proxied_client&, const char* why) noexcept override;
    void stop_accepting();
    void abandon_all();
    void connection_closed(http::connection&) noexcept override;
    void connections_cut(std::uint64_t) noexcept override;
    void begin_to_accept();
    void begin_to_drain();
    void allow_end();
    void await_tasks();
    void tell_news() const noexcept;

    crew& crew_;
    const unsigned number_;
    const detail::maker make_;
    std::vector<net::listener> listeners_;
    std::vector<std::unique_ptr<gate_keeper>> gates_;
    std::unique_ptr<runtime::loop> loop_;
    std::unique_ptr<web::application> app_;
    std::unique_ptr<http::core> core_;
    std::atomic<state> state_ = state::starting;
    std::string failure_;
    std::string backend_;
    order begin_, drain_, end_, give_up_;
    struct closing_time : runtime::timer {
        core_thread* of;
    } last_call_;  // when it rings, who has not been accepted will not be
    bool draining_ = false;
    struct last_task : detail::completion {
        core_thread* of;
    } tasks_ended_{};
    task<>::handle waits_for_tasks_;
    std::uint64_t told_cut_at_ = 0;  // in the log
    std::thread thread_;
};

}  // namespace apus::server
