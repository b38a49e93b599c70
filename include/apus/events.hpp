// SPDX-License-Identifier: Apache-2.0
#pragma once

// Server-sent events (WHATWG HTML, 9.2): a streamed response that browsers read by `EventSource`.

#include <apus/detail/json_calls.hpp>
#include <apus/duration.hpp>
#include <apus/stream.hpp>

#include <string_view>
#include <type_traits>

namespace apus {

/// Options of an event stream.
struct events_options {
    /// Interval of comments on an idle stream.
    /// Comments keep proxies from closing the connection, and detect disconnected clients. 0: no comments.
    duration heartbeat = seconds(15);
    duration retry = {};  ///< Delay before the client reconnects. 0: the client's default.
    /// Whether to end the stream when the server stops.
    /// True: the task is cancelled at its current `co_await`, and the client reconnects to another server. False: the
    /// task runs until the drain deadline, and may check `stopping`.
    bool ends_at_stop = true;
};

namespace detail {
class event_run;
}

/// Writes events to the client.
/// Belongs to the task that sends the events. If the client resets the connection, reads more slowly than
/// `limits::drain_rate`, or a write fails, this task is cancelled at its current `co_await`.
class event_writer {
public:
    event_writer(request&, writer&, const events_options&);
    event_writer(const event_writer&) = delete;
    event_writer& operator=(const event_writer&) = delete;
    ~event_writer();

    /// Sends an event.
    /// `data` is UTF-8 text of any number of lines, separated by CR, LF or both; it may be empty. `name` is the event
    /// type, "message" if empty. The browser sends the last `id` in Last-Event-ID when it reconnects; an empty `id`
    /// does not change it.
    ///
    /// Awaitable: waits while more than 64 KiB are unsent.
    /// Throws `std::invalid_argument` if `name` or `id` contains a line break or NUL.
    body_write send(std::string_view data, std::string_view name = {}, std::string_view id = {});

    /// Sends a value as JSON, such as a struct: `co_await out.send(price, "price", "7");`.
    /// Wrap a single number or bool: `apus::json(7)`. Requires <apus/json.hpp>. Throws like `to_json`, and like the
    /// other `send`.
    template <class T>
        requires(!std::is_convertible_v<const T&, std::string_view> && !std::is_arithmetic_v<T>)
    body_write send(const T& value, std::string_view name = {}, std::string_view id = {}) {
        static_assert(detail::has_json<T>, "sending a value as an event needs #include <apus/json.hpp>");
        return send(std::string_view(to_json(value)), name, id);
    }
    template <class T>
    body_write send(const json<T>& value, std::string_view name = {}, std::string_view id = {}) {
        return send(std::string_view(to_json(value.value)), name, id);
    }

    /// Sends a comment, which browsers ignore. Awaitable like `send`.
    body_write comment(std::string_view text);

    /// Returns Last-Event-ID as sent; empty for a new client.
    /// Last-Event-ID is the `id` of the last event that the client received before it reconnected. The handler should
    /// continue after this event.
    std::string_view last_id() const noexcept;

    /// Whether the server is stopping.
    bool stopping() const noexcept;

private:
    friend class detail::event_run;
    struct heartbeat;

    body_write write(std::string_view text);

    request* in_;
    writer* out_;
    heartbeat* heart_ = nullptr;
};

namespace detail {

response event_stream(producer);

/// Runs the event task until it ends or, with `ends_at_stop`, until the server stops.
/// Then destroys the task.
class [[nodiscard]] event_run {
public:
    using awaits_task = void;

    event_run(event_writer& to, task<> of, const events_options& options);
    event_run(const event_run&) = delete;
    event_run& operator=(const event_run&) = delete;
    ~event_run();

    bool await_ready() const noexcept;
    template <class P>
    bool await_suspend(std::coroutine_handle<P> waiter) {
        return start(waiter, waiter.promise());
    }
    result<void> await_resume();

private:
    struct state;
    bool start(std::coroutine_handle<> waiter, promise_base& caller);

    state* state_;
};

}  // namespace detail

/// Returns a response that streams the events written by `f(event_writer&) -> task<>`.
/// The captures of `f` live as long as the stream. The response ends with the task; the browser then reconnects after a
/// delay, until it gets a 204 (`apus::no_content`).
template <class F>
response events(F f, const events_options& options = {}) {
    return detail::event_stream(detail::make_producer([f = std::move(f), options](request& in, writer& out) -> task<> {
        event_writer to(in, out, options);
        detail::event_run run(to, f(to), options);
        auto outcome = co_await run;
        co_await std::move(outcome);
    }));
}

}  // namespace apus
