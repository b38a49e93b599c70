// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/request_head.hpp"

#include <apus/http.hpp>
#include <apus/limits.hpp>
#include <apus/stream.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::http {

struct exchange;

/// How a route wants the body of its requests.
enum class body_mode : std::uint8_t {
    ignored,   ///< Nobody reads it: it is skipped after the response.
    whole,     ///< `service::run` is called when all of it has arrived, in `exchange::body`.
    streamed,  ///< The handler reads it by `request::read`.
};

/// What the server must know of a route before its handler runs. Owned by the service; lives as
/// long as it.
struct route_plan {
    body_mode body = body_mode::ignored;
    route_limits limits;
};

/// What answers requests: the app behind a protocol. One for each core.
class service {
public:
    virtual ~service() = default;

    /// Called when a head has arrived. Sets `x.plan` and the captures, and returns true; or puts
    /// the answer (404, 405, OPTIONS ...) into `x.answer` and returns false.
    virtual bool route(exchange& x) = 0;

    /// Runs the handler. On return either `x.answer` holds the response and the result is true,
    /// or a task was given to `x.start` and has not ended yet: `x.via->finished(x)` is called
    /// when it has, with the response in `x.answer`.
    virtual bool run(exchange& x) = 0;
};

/// What a protocol does for an exchange that waits. Calls come from handlers' tasks and may
/// resume nothing before they return.
class carrier {
public:
    virtual void finished(exchange&) noexcept = 0;      ///< The task has ended; `answer` is set.
    virtual void wants_body(exchange&) noexcept = 0;    ///< A reader waits: go on receiving.
    virtual void wrote(exchange&) noexcept = 0;         ///< Bytes were added to the streamed body.
    virtual bool write_may_go_on(exchange&) noexcept = 0;  ///< No more than the high-water mark is unsent.
    virtual std::string_view remote_address(exchange&) = 0;

protected:
    ~carrier() = default;
};

constexpr unsigned max_captures = 16;

/// One request and its response, on their way. Comes from a free list of its core and goes back
/// there; a handler that suspends keeps it, and the bytes its views point to, alive.
struct exchange {
    // The request.
    codec::http1::request_head head;
    const char* bytes = nullptr;       // the head's first byte
    carrier* via = nullptr;
    const route_plan* plan = nullptr;
    std::string_view captures[max_captures];
    unsigned capture_count = 0;
    std::string decoded;               // the path, when decoding changes it and somebody asked
    std::string decoded_captures;      // reserved once, so that views into it stay valid
    std::string address;

    // Its body.
    std::string_view body;             // whole: all of it. streamed: the piece that `read` gives next
    std::string collected;             // `body` when it came in more than one piece
    std::uint64_t max_body = 0;
    bool body_ended = false;
    std::coroutine_handle<> reader;    // waits in `read`
    std::string trailer_bytes;
    codec::http1::field* trailers = nullptr;
    std::uint16_t trailer_count = 0;

    // Its response.
    response answer;
    std::coroutine_handle<> writer;    // waits in `write`
    std::string out_trailers;
    bool out_chunked = false;

    // The handler's task, while it runs.
    struct ending : detail::completion {
        exchange* of;
    } ended;
    task<response>::handle running;
    bool starting = false;

    /// Runs `t` until it waits or ends. True: it has ended, and `answer` holds its response or the
    /// problem document of its error. False: it waits, and `via->finished` will be called.
    bool start(task<response> t);
    void cancel() noexcept;  ///< Destroys the task, if there is one; its destructors run now.

    std::string_view text(codec::http1::slice s) const noexcept { return s.in(bytes); }
};

}  // namespace apus::http
