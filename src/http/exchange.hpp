// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/request_head.hpp"
#include "runtime/file.hpp"

#include <apus/http.hpp>
#include <apus/limits.hpp>
#include <apus/stream.hpp>

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace apus::runtime {
class record_layer;
}

namespace apus::tracing {
class trace;
}

namespace apus::http {

struct exchange;

/// How a route receives the body of its requests.
enum class body_mode : std::uint8_t {
    ignored,   ///< The handler does not read the body, which is skipped after the response.
    whole,     ///< `service::run` is called when `exchange::body` holds the whole body.
    streamed,  ///< The handler reads the body by `request::read`.
};

/// The part of a request's target that is logged.
enum class logged : std::uint8_t {
    target,
    path,  ///< The query holds a secret.
    route  ///< The path holds a secret.
};

struct route_counters;

/// Rarely used data of a route. Services derive their own type from this struct.
struct route_record {
    route_counters* counters = nullptr;  ///< Null: counted as a request without a route.
};

/// Properties of a route that the server needs before its handler runs.
/// Owned by the service, and valid as long as the service.
struct route_plan {
    body_mode body = body_mode::ignored;
    logged in_logs = logged::target;
    bool only_handler = false;  ///< No middleware changes the handler's response.
    /// Digits in the size of the last body printed into `transport::body_room`.
    /// 0: `body_room` returns an empty span.
    mutable std::uint8_t size_digits = 3;
    /// Responses are expected to be large until this second of the loop's clock.
    /// Used only by the core's thread.
    mutable std::uint32_t large_until = 0;
    route_limits limits{};
    route_record* record = nullptr;  ///< Null only if the plan does not belong to a service.
};

/// Processes requests: the interface through which a protocol calls the app. One per core.
class service {
public:
    virtual ~service() = default;

    /// Called when a head has arrived. Sets the captures and `x.plan`, also if no route matches.
    virtual void route(exchange& x) = 0;

    /// Runs the handler.
    /// Returns true if `x.answer` holds the response. Returns false if a task was passed to `x.start` and is suspended.
    /// `x.via->finished(x)` is called when this task has ended.
    virtual bool run(exchange& x) = 0;

    /// Sets the body of an error response. May be called before `route`.
    virtual void add_error_body(exchange& x) noexcept;

    /// Returns the target for logs if the plan of the request hides a part of the target.
    virtual std::string_view logged_target(const exchange&) const noexcept { return {}; }

    /// Returns the pattern of the matched route; empty if no route matched.
    virtual std::string_view matched_route(const exchange&) const noexcept { return {}; }
};

/// Operations of a protocol for a suspended exchange.
/// Handler tasks call these operations. No operation resumes or destroys a task before it returns.
class transport {
public:
    /// Called when the task has ended. `exchange::settle` then takes the task's response.
    virtual void finished(exchange&) noexcept = 0;
    /// Called when the handler reads.
    /// Releases the previous piece of the body, and sets `exchange::body` to the next piece if available.
    virtual void request_more_body(exchange&) noexcept = 0;
    /// Rejects the body: cancels the task, and sends the reason to the client if no response has begun.
    /// `why` must be static.
    virtual void refuse_body(exchange&, const codec::refusal& why) noexcept = 0;
    virtual void write(exchange&, std::string_view bytes) = 0;
    /// Like `write`, for a complete batch in the arena.
    /// The caller may send the same batch to other clients.
    virtual void write_batch(exchange& x, std::string_view batch) { write(x, batch); }
    /// Like `write`, for a range of a file. Returns false if this transport does not support files.
    virtual bool write_file(exchange&, const runtime::file_ref&, std::uint64_t, std::uint64_t) { return false; }
    /// Returns true if the unsent bytes do not exceed the high-water mark.
    /// If it returns false, `exchange::writer` is resumed when enough bytes have been sent.
    virtual bool can_write(exchange&) noexcept = 0;
    /// Returns memory from which the body is sent without a copy; empty if not available.
    /// The caller first sets status and fields, then prints the body into the memory, and sets the printed bytes as the
    /// literal body of `exchange::answer` before `service::run` returns.
    virtual std::span<char> body_room(exchange&) { return {}; }
    /// Writes the peer's address as text to `exchange::address`.
    virtual void find_address(exchange&) = 0;
    /// Returns true if the server is stopping.
    virtual bool stopping() const noexcept { return false; }
    /// Returns the record layer of a secure connection; null for plain text.
    virtual runtime::record_layer* records(exchange&) noexcept { return nullptr; }

protected:
    ~transport() = default;
};

/// Why a server closes its connections.
/// Either the server stops, or a new process of the program takes over.
enum class drain_cause : std::uint8_t {
    stop,
    restart
};

/// A protocol in a tunnel, or an event stream, that is notified on shutdown.
class drain_listener {
public:
    virtual void drain(drain_cause) noexcept = 0;  ///< Notifies the client by the tunnel's or stream's protocol.

protected:
    ~drain_listener() = default;
};

/// Transforms the request body for its reader, for example by removing a content coding.
class body_filter {
public:
    /// Replaces the bytes in `exchange::body` by transformed bytes.
    /// Requests more bytes from the transport if needed. Returns true if output is available or the body has ended.
    /// Returns false if the filter needs more input, or has rejected the body by `transport::refuse_body`. The
    /// transport calls `next` again when more input has arrived.
    virtual bool next(exchange&) noexcept = 0;

protected:
    ~body_filter() = default;
};

/// Transforms the bytes of a streamed response and passes them to the transport.
class write_filter {
public:
    virtual void write(exchange&, std::string_view bytes) = 0;

protected:
    ~write_filter() = default;
};

/// Returns `transport::body_room` for the response of the running handler.
/// Returns an empty span for other responses, or if middleware may change the response.
std::span<char> body_room(response& out);

constexpr unsigned max_captures = 16;

/// Trailer sections of a request and of its response. Few exchanges have one.
struct trailer_sections {
    std::string bytes;                              // names and values of the request's fields
    std::uint16_t count = 0;                        // fields of the request
    std::unique_ptr<codec::http1::field[]> fields;  // null until a field arrives
    std::string out;                                // field lines of the response

    /// Returns memory for the request's fields, `max_fields` of them.
    codec::http1::field* room() {
        if (!fields) fields = std::make_unique_for_overwrite<codec::http1::field[]>(codec::http1::max_fields);
        return fields.get();
    }
    std::size_t memory() const noexcept {
        return sizeof *this + bytes.capacity() + out.capacity() +
               (fields ? codec::http1::max_fields * sizeof(codec::http1::field) : 0);
    }
};

/// A request with its response.
/// Allocated from a free list of the core. While the handler is suspended, the exchange stays alive, and so do the
/// bytes to which its views refer.
struct exchange {
    // The request.
    codec::http1::request_head head;
    const char* bytes = nullptr;  // the head's first byte
    transport* via = nullptr;
    const route_plan* plan = nullptr;
    std::string_view captures[max_captures];
    unsigned capture_count = 0;
    std::string decoded_path;      // set on demand, if decoding changes the path
    std::string decoded_captures;  // reserved once, so that views into it stay valid
    std::string address;
    std::atomic<const std::string*> id = nullptr;  // set by `request_ids`, owned by `values`
    tracing::trace* trace = nullptr;               // owned reference; null: not recorded and not propagated
    request in{*this};

    // The body of the request.
    std::string_view body;  // whole body, or the piece that the next `read` returns
    std::string collected;  // memory of `body` if the body arrived in several pieces
    std::uint64_t max_body = 0;
    bool body_ended = false;
    bool body_lent = false;                      // the handler may still use the previous piece
    std::coroutine_handle<> reader;              // the coroutine that waits in `read`
    body_filter* filter = nullptr;               // of the request body; valid as long as the request
    std::unique_ptr<trailer_sections> trailers;  // of request and response; allocated on demand

    // The response.
    response answer;
    detail::kept_value* values = nullptr;  // owned; values of `request::set`, newest first
    detail::writer_core out{*this};
    std::coroutine_handle<> writer;      // the coroutine that waits in `write`
    write_filter* out_filter = nullptr;  // of the response body; removed by its owner
    drain_listener* on_drain = nullptr;  // removed by its owner
    std::uint64_t expects = 0;           // bytes that the tunnel handler expects
    std::size_t kept = 0;                // bytes of memory that the tunnel handler uses

    exchange() = default;
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;
    ~exchange() {
        cancel();
        if (values) drop_values();
        if (trace) drop_trace();
    }

    std::string_view text(codec::http1::slice s) const noexcept { return s.in(bytes); }

    /// Returns the field lines of the response's trailer section.
    std::string_view out_trailers() const noexcept { return trailers ? std::string_view(trailers->out) : ""; }
    /// Returns the trailer sections, which it creates if they do not exist.
    trailer_sections& use_trailers() {
        if (!trailers) trailers = std::make_unique<trailer_sections>();
        return *trailers;
    }

    std::string_view given_id() const noexcept {
        const std::string* given = id.load(std::memory_order_acquire);
        return given ? std::string_view(*given) : std::string_view();
    }

    /// Returns the value of the first field with this name, case-insensitive, or an empty view.
    std::string_view field(std::string_view name) const noexcept;

    /// Runs `t` until it suspends or ends.
    /// Returns true if `t` has ended: `answer` then holds the response, also for an error. Returns false if `t` is
    /// suspended: `via->finished` is called when `t` has ended.
    bool start(task<response> t);

    /// Runs the producer of a streamed `answer`, like `start`.
    /// If it returns true, call `settle_producer` for the result.
    bool start_producer();

    void settle();           ///< Moves the response of the finished task to `answer`. An error has no body yet.
    bool settle_producer();  ///< Returns true if the producer succeeded.

    /// Logs the error if its status is at least 500, or if it has a cause.
    void report_failure(const error&) const noexcept;
    void report_failure(int status, std::string_view detail) const noexcept;

    /// Appends a piece to the body. Reserves exactly the size of the body if the size is known.
    void collect(std::string_view piece);

    /// Returns the bytes of memory in use, without this object.
    std::size_t memory() noexcept {
        return kept + (running_ || producing_ ? task_memory : 0) + collected.capacity() + answer.bytes().capacity() +
               answer.field_lines().size() + decoded_path.capacity() + decoded_captures.capacity() +
               (trailers ? trailers->memory() : 0);
    }

    /// Destroys the suspended task, if any, with all its objects.
    [[gnu::noinline]] void cancel() noexcept;

    /// Resets to the initial state; the strings keep their memory.
    void reset() noexcept {
        if (running_ || producing_) cancel();
        plan = nullptr;
        capture_count = 0;
        body = {};
        max_body = 0;
        body_ended = body_lent = false;
        filter = nullptr;
        answer.clear();
        id.store(nullptr, std::memory_order_relaxed);
        if (values) drop_values();  // last: objects destroyed above may refer to the values
        if (trace) [[unlikely]]
            drop_trace();
        // These strings are rarely used. One test of all sizes is cheaper than a call for each string.
        if (decoded_path.size() | decoded_captures.size() | address.size() | collected.size() | std::size_t{!!trailers})
            clear_texts();
    }

private:
    // Measured with suspended handlers and producers: the frames of the coroutines that run them, and small strings.
    static constexpr std::size_t task_memory = 1536;
    struct ending : detail::completion {
        exchange* of = nullptr;
    };
    template <class Handle>
    bool begin(Handle task, const char* origin);
    // Not inlined in `reset`, which would save more registers for each request.
    [[gnu::noinline]] void clear_texts() noexcept;
    [[gnu::noinline]] void drop_values() noexcept;
    [[gnu::noinline]] void drop_trace() noexcept;

    ending ended_;
    task<response>::handle running_;
    task<>::handle producing_;
    bool starting_ = false;
};

}  // namespace apus::http
