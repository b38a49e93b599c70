// SPDX-License-Identifier: Apache-2.0
#pragma once

// Server-sent events (WHATWG HTML, 9.2): a response that goes on, which browsers read by `EventSource`.

#include <apus/duration.hpp>
#include <apus/stream.hpp>

#include <string_view>

namespace apus {

/// How events are sent.
struct event_options {
    /// A comment is sent when nothing else was for so long, so that proxies keep the connection and a client that has
    /// gone is noticed. 0: none.
    duration heartbeat = seconds(15);
    duration retry = {};  ///< How long the client is to wait before it connects again. 0: its own choice.
    /// When the server stops, the task is cancelled where it waits and the stream ends, so that the client connects
    /// again, to another. False: it may look at `stopping`, and has until the drain deadline.
    bool ends_at_stop = true;
};

namespace detail {
class event_run;
}

/// Where events go. Belongs to the task that sends them. If the client resets the connection, a write to
/// it fails, or it reads too slowly for `limits::drain_rate`, that task is cancelled where it waits.
class event_writer {
public:
    event_writer(request&, writer&, const event_options&);
    event_writer(const event_writer&) = delete;
    event_writer& operator=(const event_writer&) = delete;
    ~event_writer();

    /// Sends an event. `data` is UTF-8 of any number of lines, which CR, LF or both part; an empty one
    /// is sent too. `name` is what the browser listens for, "message" if empty. `id` is what it
    /// will say in Last-Event-ID when it connects again; left as it was if empty.
    ///
    /// To be awaited: it waits while more than 64 KiB are unsent. Throws `std::invalid_argument` if
    /// `name` or `id` holds a line end or NUL.
    body_write send(std::string_view data, std::string_view name = {}, std::string_view id = {});

    /// Sends a comment, which browsers pass over. To be awaited, like `send`.
    body_write comment(std::string_view text);

    /// The `id` of the last event that the client got before it connected again, or empty: the place
    /// to go on from. As the client sent it.
    std::string_view last_id() const noexcept;

    /// Whether the server is stopping.
    bool stopping() const noexcept;

private:
    friend class detail::event_run;
    struct heart;

    body_write write(std::string_view text);

    request* in_;
    writer* out_;
    heart* heart_ = nullptr;
};

namespace detail {

response event_stream(producer);

/// Waits for the task that sends events, and if asked to, no longer than the server serves: then destroys it.
class [[nodiscard]] event_run {
public:
    event_run(event_writer& to, task<> of, const event_options& options);
    event_run(const event_run&) = delete;
    event_run& operator=(const event_run&) = delete;
    ~event_run();

    bool await_ready() const noexcept;
    bool await_suspend(std::coroutine_handle<> waiter);
    result<void> await_resume();

private:
    struct state;
    state* state_;
};

}  // namespace detail

/// A response that `f(event_writer&) -> task<>` writes as events, with the fields they need. What `f`
/// captures lives as long. When its task ends the response does, and the browser connects again after
/// a while: answer 204 (`apus::none`) to end that.
template <class F>
response events(F f, const event_options& options = {}) {
    return detail::event_stream(detail::make_producer([f = std::move(f), options](request& in, writer& out) -> task<> {
        event_writer to(in, out, options);
        detail::event_run run(to, f(to), options);
        auto outcome = co_await run;
        co_await std::move(outcome);
    }));
}

}  // namespace apus
