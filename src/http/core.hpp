// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/date_line.hpp"
#include "http/exchange.hpp"
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

namespace apus::http {

class connection;
class protocol;

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
    std::uint64_t due_in(duration d) const noexcept {
        return loop.now() + static_cast<std::uint64_t>(d.milliseconds());
    }

    /// Times for the access log, in nanoseconds of CLOCK_MONOTONIC.
    /// `nanoseconds` is the current time. `readable_since` is the time when the connection's current input became
    /// readable: the start of the turn, or earlier if the previous turn took over 20 ms.
    static std::uint64_t nanoseconds() noexcept;
    std::uint64_t readable_since(int fd) const noexcept;

    /// Accepts no further requests. Idle connections close after the drain grace.
    void drain();

    runtime::loop& loop;
    service& app;
    const limits& bounds;
    metrics counts;
    date_line date;
    void (*log_access)(const access_record&) = nullptr;
    connection* first = nullptr;  // list of the open connections
    runtime::gate connections;    ///< Each open connection holds a pass.
    bool draining = false;

    struct observer {
        virtual void connection_closed(connection&) noexcept = 0;
        /// Called with the number of connections closed for lack of memory.
        virtual void connections_evicted(std::uint64_t) noexcept {}

    protected:
        ~observer() = default;
    };
    observer* watcher = nullptr;
    memory_guard guard{*this};

protected:
    core(runtime::loop& on, service& answering, const limits& l) noexcept;

private:
    std::vector<std::unique_ptr<protocol>> retired_;
    struct retire_call : runtime::deferred {
        core* of;
    } retire_;
};

/// Creates the core of a server. Connections begin with HTTP/1.1.
std::unique_ptr<core> make_core(runtime::loop&, service&, const limits&);

}  // namespace apus::http
