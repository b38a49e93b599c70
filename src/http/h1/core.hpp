// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"
#include "http/h1/body_decoder.hpp"
#include "http/h1/held_input.hpp"
#include "http/metrics.hpp"
#include "runtime/gate.hpp"
#include "runtime/loop.hpp"

#include <apus/limits.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace apus::http::h1 {

class connection;

/// An exchange, with what HTTP/1.1 needs for it.
struct h1_exchange : exchange {
    body_decoder decoder;
    struct attending : runtime::deferred {
        h1_exchange* of;
    } attend;                             // the connection looks at it when the current event is over
    runtime::buffer_lease head_buffer;    // holds the head's bytes, when the handler waits
    std::uint64_t handler_due = 0;        // 0: no deadline
    std::uint64_t body_bytes = 0;         // of the body, so far
    std::uint64_t started = 0;            // nanoseconds; only where requests are logged
    std::uint64_t response_bytes = 0;
    std::uint64_t waits_since = 0;        // when its reader began to wait, in milliseconds of the loop
    std::uint64_t waited = 0;             // milliseconds that its reader waited before, in this window
    std::uint32_t body_rate = 0;
    const codec::refusal* broken = nullptr;  // why the body cannot be read on
    bool handling = false;                // a task waits
    bool producing = false;               // a producer waits
    bool finished = false;                // its task has ended and waits to be attended to
    bool responded = false;               // the head of the response is on its way
    bool keeps_alive = false;
    bool continue_due = false;            // the client waits for 100 (Continue)
    bool chunks_response = false;
    bool tunnel = false;                  // bytes go both ways, after a 101
    bool client_ended = false;            // and no more come
};

inline constexpr codec::refusal body_too_large{413, "the body is larger than this route takes"};

/// Writes "Date: ...\r\n" once a second (RFC 9110, 6.6.1).
class date_line {
public:
    /// A head up to and with its Date line, for a response of 200.
    std::string_view ok(std::int64_t unix_seconds) noexcept {
        if (unix_seconds != of_) write(unix_seconds);
        return {text_, sizeof text_};
    }
    std::string_view date(std::int64_t unix_seconds) noexcept { return ok(unix_seconds).substr(status_size); }

private:
    static constexpr std::size_t status_size = 17;  // "HTTP/1.1 200 OK\r\n"
    void write(std::int64_t unix_seconds) noexcept;

    std::int64_t of_ = -1;
    char text_[status_size + 6 + 29 + 2];
};

/// What is told of every response, where somebody wants to know.
struct access_record {
    std::string_view verb, target, peer;
    int status;
    std::uint64_t bytes;
    std::uint64_t microseconds;
};

/// What the connections of one core share.
struct core {
    core(runtime::loop&, service&, const limits&) noexcept;
    core(const core&) = delete;
    core& operator=(const core&) = delete;
    ~core();

    h1_exchange* take() { return spare_ ? std::exchange(spare_, nullptr) : take_from_list(); }
    void give(h1_exchange*) noexcept;

    /// The loop's time when so much more has gone by, in milliseconds.
    std::uint64_t due_in(duration d) const noexcept { return loop.now() + static_cast<std::uint64_t>(d.milliseconds()); }

    /// Of a clock that is never set, read anew: for the access log.
    static std::uint64_t nanoseconds() noexcept;

    /// No further requests on any connection; those idle for a moment are closed.
    void drain();

    runtime::loop& loop;
    service& app;
    const limits& bounds;
    codec::http1::head_limits head_bounds;
    metrics counts;
    date_line date;
    codec::http1::trailer_section trailers;  // while a section is being read
    std::string_view unread;                 // what the connection that is at work has before it
    void (*log_access)(const access_record&) = nullptr;
    connection* first = nullptr;             // all that are open
    runtime::gate connections;               ///< Each that is open is inside.
    bool draining = false;

    struct observer {
        virtual void connection_closed(connection&) noexcept = 0;

    protected:
        ~observer() = default;
    };
    observer* watcher = nullptr;

private:
    h1_exchange* take_from_list();

    h1_exchange* spare_ = nullptr;  // the last one given back: one is enough while no handler waits
    std::vector<h1_exchange*> free_;
};

}  // namespace apus::http::h1
