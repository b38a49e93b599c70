// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/date_line.hpp"
#include "http/exchange.hpp"
#include "http/in_flight.hpp"
#include "http/memory_guard.hpp"
#include "http/metrics.hpp"
#include "runtime/gate.hpp"
#include "runtime/loop.hpp"
#include "runtime/protocols.hpp"

#include <apus/limits.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace apus::tracing {
class log_recorder;
class recorder;
}  // namespace apus::tracing

namespace apus::http {

class connection;
class protocol;
struct served_exchange;

/// A record for the access log.
struct access_record {
    std::string_view verb, target, peer, id;
    int status;
    std::uint64_t bytes;
    std::uint64_t microseconds;
};

/// State shared by the connections of one core, in any HTTP version.
struct core {
    core(const core&) = delete;
    core& operator=(const core&) = delete;
    virtual ~core();

    /// Takes ownership of a connection. `connection::start` begins receiving.
    virtual void open(connection&, runtime::protocols) = 0;
    /// Takes ownership of a client's connected socket.
    connection& open(int fd, runtime::protocols);

    /// Destroys a replaced protocol after the current event has been handled.
    void retire(std::unique_ptr<protocol>);

    /// Returns the loop's time plus `d`, in milliseconds.
    std::uint64_t due_in(duration d) const noexcept { return loop.due_in(d); }

    /// Times for the access log, in nanoseconds of CLOCK_MONOTONIC.
    /// A turn is an iteration of the event loop. `nanoseconds` returns the current time. `readable_since` returns the
    /// time when the connection's current input became readable: the start of this turn, or an earlier time if the
    /// previous turn took over 20 ms.
    static std::uint64_t nanoseconds() noexcept;
    std::uint64_t readable_since(int fd) const noexcept;
    /// Like `readable_since`, for a new request, but without a system call in most turns.
    /// After a short turn, returns the start of this turn, because input has not waited noticeably.
    std::uint64_t started(int fd) const noexcept {
        const auto& clock = loop.io().clock();
        const bool after_long_work = clock.nanoseconds() - clock.since_last() == long_turn_;
        return log_access || after_long_work ? readable_since(fd) : clock.nanoseconds();
    }

    static constexpr duration stop_grace = milliseconds(300);

    /// Closes each connection after the response to its current or next request.
    /// Idle connections close after `idle`, because their clients may already have sent a request.
    void drain(drain_cause = drain_cause::stop, duration idle = stop_grace);

    /// Returns the target for logs, without secrets: the whole target, its path, or the route.
    std::string_view target_in_logs(const exchange&) const noexcept;

    /// Returns the path for logs, without the query; empty if the path holds a secret.
    std::string_view path_in_logs(const exchange&) const noexcept;

    /// Counts a request that has ended. `status` is 0 if the request ended before its response began.
    void count_end(served_exchange&, int status) noexcept;

    /// Adds a request that waits to `in_flight`, unless it is there.
    void list_in_flight(served_exchange&) noexcept;

    /// Returns true if the request has certainly taken `request_history::least_slow` until now.
    /// May return false shortly after that time: up to twice the time on x86-64, elsewhere up to the next tick of the
    /// kernel's clock, usually 4 ms.
    bool took_long(const served_exchange&) const noexcept;

    runtime::loop& loop;
    service& app;
    const limits& bounds;
    metrics counts;
    date_line date;
    void (*log_access)(const access_record&) = nullptr;
    connection* first = nullptr;  // list of the open connections
    runtime::gate connections;    ///< Each open connection holds a pass.
    bool draining = false;
    drain_cause draining_for = drain_cause::stop;
    duration idle_grace = stop_grace;
    /// Returns when a connection that is idle from now on is closed, in the loop's milliseconds.
    std::uint64_t idle_due() const noexcept { return loop.now() + idle_time_; }
    /// Whether connections must close soon.
    /// False during a restart: a new process already serves, and closing early could destroy a response in transit by a
    /// reset.
    bool hurries() const noexcept { return draining && draining_for == drain_cause::stop; }

    struct observer {
        virtual void connection_closed(connection&) noexcept = 0;
        /// Called with the number of connections closed for lack of memory.
        virtual void connections_evicted(std::uint64_t) noexcept {}

    protected:
        ~observer() = default;
    };
    observer* watcher = nullptr;
    memory_guard guard{*this};
    tracing::recorder* traces = nullptr;    ///< Null: requests are not traced.
    tracing::log_recorder* logs = nullptr;  ///< Null: log records are not exported. Only for metrics.
    bool keeps_requests = false;            ///< Keeps slow and failed requests, and maintains `in_flight`.
    in_flight_list in_flight;

protected:
    core(runtime::loop& on, service& answering, const limits& l) noexcept;

private:
    std::vector<std::unique_ptr<protocol>> retired_;
    struct retire_call : runtime::deferred {
        core* of;
    } retire_;

    /// Requests that ended in this turn.
    /// Their durations are counted together, before the loop sends the responses, so that the clock is read once for
    /// all of them.
    struct ended_requests : runtime::deferred {
        static constexpr unsigned most = 64;
        struct entry {
            base::duration_counts* durations;
            std::uint64_t started;
            std::uint64_t requests;  ///< number of consecutive requests with these two values
        };
        core* of;
        unsigned count = 0;
        entry entries[most];
    } ended_;
    void count_durations() noexcept;
    // Counts requests that began in an earlier turn.
    [[gnu::noinline]] static void add_longer(const ended_requests::entry&, std::uint64_t now) noexcept;
    bool watches(const served_exchange&, int status) const noexcept;
    // `count_end` without and with a trace or a history. It calls no function in most cases, and so saves no registers.
    void count_request(const served_exchange&, int status) noexcept;
    [[gnu::noinline]] void count_watched(served_exchange&, int status) noexcept;
    route_counters& counters_of(const served_exchange&) noexcept;
    [[gnu::noinline]] void add_ended(base::duration_counts&, std::uint64_t started) noexcept;
    std::uint64_t idle_time_;                               // milliseconds until an idle connection is closed
    static constexpr std::uint64_t long_turn = 20'000'000;  // nanoseconds
    std::uint64_t long_turn_ = 0;                           // start of the last turn that took `long_turn` or more
};

/// Creates the core of a server. Connections begin with HTTP/1.1.
std::unique_ptr<core> make_core(runtime::loop&, service&, const limits&);

}  // namespace apus::http
