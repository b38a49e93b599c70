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

namespace apus::http {

class connection;

/// What is told of every response, where somebody wants to know.
struct access_record {
    std::string_view verb, target, peer, id;
    int status;
    std::uint64_t bytes;
    std::uint64_t microseconds;
};

/// What the connections of one core share, whatever is spoken on them.
struct core {
    core(const core&) = delete;
    core& operator=(const core&) = delete;
    virtual ~core() = default;

    /// Takes over a connected socket of a client. The connection receives when it is started.
    virtual connection& open(int fd, runtime::protocols) = 0;

    /// The loop's time when so much more has gone by, in milliseconds.
    std::uint64_t due_in(duration d) const noexcept {
        return loop.now() + static_cast<std::uint64_t>(d.milliseconds());
    }

    /// For the access log, in nanoseconds of CLOCK_MONOTONIC: now, and since when the bytes of this
    /// connection that are being handled have waited for the loop, to 20 ms where it was held up.
    static std::uint64_t nanoseconds() noexcept;
    std::uint64_t readable_since(int fd) const noexcept;

    /// No further requests on any connection; those idle for a moment are closed.
    void drain();

    runtime::loop& loop;
    service& app;
    const limits& bounds;
    metrics counts;
    date_line date;
    void (*log_access)(const access_record&) = nullptr;
    connection* first = nullptr;  // all that are open
    runtime::gate connections;    ///< Each that is open is inside.
    bool draining = false;

    struct observer {
        virtual void connection_closed(connection&) noexcept = 0;
        virtual void connections_cut(std::uint64_t) noexcept {}  ///< So many were closed for lack of memory.

    protected:
        ~observer() = default;
    };
    observer* watcher = nullptr;
    memory_guard guard{*this};

protected:
    core(runtime::loop& on, service& answering, const limits& l) noexcept : loop(on), app(answering), bounds(l) {}
};

/// The core of a server: a connection begins with HTTP/1.1.
std::unique_ptr<core> make_core(runtime::loop&, service&, const limits&);

}  // namespace apus::http
