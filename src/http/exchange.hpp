// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/request_head.hpp"
#include "runtime/file.hpp"
#include "http/body_filter.hpp"
#include "http/outlet.hpp"

#include <apus/http.hpp>
#include <apus/limits.hpp>
#include <apus/stream.hpp>

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <string>
#include <string_view>

namespace apus::runtime {
class record_layer;
}

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
    /// Until this second of the loop its answers are expected to be large. Of its core's thread, as the route is.
    mutable std::uint32_t large_until = 0;
    route_limits limits{};
};

/// What answers requests: the app behind a protocol. One for each core.
class service {
public:
    virtual ~service() = default;

    /// Called when a head has arrived. Sets `x.plan` and the captures, and returns true; or puts
    /// the answer into `x.answer` and returns false.
    virtual bool route(exchange& x) = 0;

    /// Runs the handler. True: `x.answer` holds the response. False: a task was given to
    /// `x.start` and waits; `x.via->finished(x)` is called when it has ended.
    virtual bool run(exchange& x) = 0;

    /// Gives an answer that is an error its body, also before `route`.
    virtual void give_body(exchange& x) noexcept;
};

/// What a protocol does for an exchange that waits. Calls come from handlers' tasks, and resume
/// or destroy none of them before they return.
class carrier {
public:
    /// The task has ended; `exchange::settle` takes its response.
    virtual void finished(exchange&) noexcept = 0;
    /// Somebody reads: the piece lent before is given back, and `body` gets the next one if it is there.
    virtual void wants_body(exchange&) noexcept = 0;
    /// The body cannot be used: the task is cancelled, and the client gets the reason where no
    /// response has begun. `why` must be static.
    virtual void refuse_body(exchange&, const codec::refusal& why) noexcept = 0;
    virtual void write(exchange&, std::string_view bytes) = 0;
    /// The same for a finished batch of the arena, which may be sent to others too.
    virtual void write_batch(exchange& x, std::string_view batch) { write(x, batch); }
    /// The same for bytes of a file. False: this carrier has to be given bytes.
    virtual bool write_file(exchange&, const runtime::file_ref&, std::uint64_t, std::uint64_t) { return false; }
    /// No more than the high-water mark is unsent. False: `exchange::writer` is resumed when so.
    virtual bool write_may_go_on(exchange&) noexcept = 0;
    /// The address of the peer as text, written to `exchange::address`.
    virtual void find_address(exchange&) = 0;
    /// Whether the server is stopping.
    virtual bool stopping() const noexcept { return false; }
    /// What makes the connection secure; null where it is not.
    virtual runtime::record_layer* records(exchange&) noexcept { return nullptr; }

protected:
    ~carrier() = default;
};

/// Who speaks another protocol through an exchange, after a 101, or writes events.
class tenant {
public:
    virtual void drain() noexcept = 0;  ///< The server stops: says so to the client, in its own protocol.

protected:
    ~tenant() = default;
};

constexpr unsigned max_captures = 16;

/// One request and its response, on their way. Comes from a free list of its core and goes back
/// there; a handler that suspends keeps it, and the bytes its views point to, alive.
struct exchange {
    // The request.
    codec::http1::request_head head;
    const char* bytes = nullptr;  // the head's first byte
    carrier* via = nullptr;
    const route_plan* plan = nullptr;
    std::string_view captures[max_captures];
    unsigned capture_count = 0;
    std::string decoded_path;      // when decoding changes the path and somebody asked
    std::string decoded_captures;  // reserved once, so that views into it stay valid
    std::string address;
    std::atomic<const std::string*> id = nullptr;  // that `request_ids` gave it, among `values`
    request in{*this};

    // Its body.
    std::string_view body;  // whole: all of it. streamed: the piece that `read` gives next
    std::string collected;  // `body`, when it came in more than one piece
    std::uint64_t max_body = 0;
    bool body_ended = false;
    bool body_lent = false;          // a reader still looks at the piece before
    std::coroutine_handle<> reader;  // waits in `read`
    body_filter* filter = nullptr;   // what is read comes through it; whoever sets it keeps it with the request
    std::string trailer_bytes;
    std::uint16_t trailer_count = 0;
    codec::http1::field* trailers = nullptr;  // owned; made when there are some

    // Its response.
    response answer;
    detail::kept_value* values = nullptr;  // owned; what `request::set` was given, the newest first
    detail::writer_core out{*this};
    std::coroutine_handle<> writer;  // waits in `write`
    outlet* through = nullptr;       // what is written goes there first; whoever sets it takes it away
    std::string out_trailers;
    tenant* lives_in = nullptr;  // whoever sets it takes it away
    std::uint64_t expects = 0;   // bytes that its tenant knows will come
    std::size_t kept = 0;        // bytes of memory that its tenant holds for it

    exchange() = default;
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;
    ~exchange() {
        cancel();
        if (values) drop_values();
        delete[] trailers;
    }

    std::string_view text(codec::http1::slice s) const noexcept { return s.in(bytes); }

    std::string_view given_id() const noexcept {
        const std::string* given = id.load(std::memory_order_acquire);
        return given ? std::string_view(*given) : std::string_view();
    }

    /// The first field of this name, in any case, or empty.
    std::string_view field(std::string_view name) const noexcept;

    /// Runs `t` until it waits or ends. True: it has ended, and `answer` holds its response or the
    /// problem document of its error. False: it waits, and `via->finished` will be called.
    bool start(task<response> t);

    /// Runs the producer of a streamed `answer`, in the same way. True: `settle_producer` tells how it ended.
    bool start_producer();

    void settle();  ///< Takes the response of the ended task into `answer`, which may be an error without body.
    bool settle_producer();  ///< Whether the ended producer succeeded.

    /// Tells the log why a client gets an error, if its status is 500 or more or it has a cause.
    void tell_failure(const error&) const noexcept;
    void tell_failure(int status, std::string_view detail) const noexcept;

    /// Adds to a body that comes in pieces. Takes no more memory than the body needs, where its size is known.
    void collect(std::string_view piece);

    /// Bytes of memory that it holds beside itself.
    std::size_t memory() noexcept {
        return kept + collected.capacity() + answer.bytes().capacity() + answer.field_lines().size() +
               decoded_path.capacity() + decoded_captures.capacity() + trailer_bytes.capacity() +
               out_trailers.capacity() + (trailers ? trailers_memory : 0);
    }

    /// Destroys the running task, if there is one; its destructors run now.
    void cancel() noexcept;

    /// As new, but with the memory that its strings have.
    void reset() noexcept {
        if (running_ || producing_) cancel();
        plan = nullptr;
        capture_count = 0;
        body = {};
        max_body = 0;
        body_ended = body_lent = false;
        filter = nullptr;
        trailer_count = 0;
        answer.clear();
        id.store(nullptr, std::memory_order_relaxed);
        if (values) drop_values();  // last: what was just destroyed may have looked at them
        // All of these are rarely used: one test is cheaper than a call for each.
        if (decoded_path.size() | decoded_captures.size() | address.size() | collected.size() | trailer_bytes.size() |
            out_trailers.size())
            clear_texts();
    }

private:
    static constexpr std::size_t trailers_memory = codec::http1::max_fields * sizeof(codec::http1::field);
    struct ending : detail::completion {
        exchange* of = nullptr;
    };
    template <class Handle>
    bool begin(Handle task);
    void clear_texts() noexcept;
    void drop_values() noexcept;

    ending ended_;
    task<response>::handle running_;
    task<>::handle producing_;
    bool starting_ = false;
};

}  // namespace apus::http
