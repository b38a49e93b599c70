// SPDX-License-Identifier: Apache-2.0
#pragma once

// Streamed responses, and upgrades to other protocols.

#include <apus/http.hpp>

namespace apus {

/// Awaitable: waits until more can be written. Returned by `writer::write`.
class [[nodiscard]] body_write {
public:
    explicit body_write(http::exchange& of) noexcept : of_(&of) {}
    body_write(const body_write&) = delete;
    body_write& operator=(const body_write&) = delete;
    ~body_write();

    bool await_ready() noexcept;
    void await_suspend(std::coroutine_handle<> writer) noexcept;
    void await_resume() const noexcept {}

private:
    http::exchange* of_;
    bool waits_ = false;
};

/// Writer of a streamed body.
/// If the client resets the connection, reads more slowly than `limits::drain_rate`, or a write fails, the writing task
/// is cancelled at its current `co_await`.
class writer {
public:
    explicit writer(http::exchange& to) noexcept : to_(&to) {}
    writer(const writer&) = delete;
    writer& operator=(const writer&) = delete;

    /// Sends a copy of these bytes. `co_await` waits while more than 64 KiB are unsent.
    body_write write(std::string_view bytes);

    /// Adds a trailer field (RFC 9110, 6.5).
    /// Not sent to HTTP/1.0 clients, which do not support trailers. Throws like `response::header`.
    void trailer(std::string_view name, std::string_view value);

    /// Whether the server is stopping.
    /// If so, end a long response soon: at the drain deadline (`serve_options::drain`) it is aborted.
    bool stopping() const noexcept;

private:
    http::exchange* to_;
};

namespace detail {

class writer_core : public writer {
public:
    using writer::writer;
};

template <class F>
producer make_producer(F f) {
    return {new F(std::move(f)),
            [](void* self, request& in, writer_core& out) -> task<> {
                if constexpr (requires { (*static_cast<F*>(self))(in, out); }) return (*static_cast<F*>(self))(in, out);
                else return (*static_cast<F*>(self))(out);
            },
            [](void* self) { delete static_cast<F*>(self); }};
}

}  // namespace detail

/// Returns a response whose body is written by `f`.
/// The form of `f` is `f(writer&) -> task<>` or `f(request&, writer&) -> task<>`. The captures of `f` live until the
/// end of the body. If the task fails, the connection is closed, so that the client detects the failure (RFC 9112, 8).
template <class F>
response stream(std::string_view media_type, F f) {
    response res;
    res.produce(detail::make_producer(std::move(f)), media_type);
    return res;
}

/// Returns a 101 that upgrades the connection to `protocol` (RFC 9110, 7.8).
/// After the response head, `f(request&, writer&) -> task<>` runs; its `request::read` and `writer::write` transfer the
/// raw bytes of the connection. If the request did not ask for `protocol` by Upgrade and Connection, the client gets
/// 426.
template <class F>
response upgrade(std::string_view protocol, F f) {
    response res(101);
    res.header("upgrade", protocol);
    res.produce(detail::make_producer(std::move(f)), {});
    return res;
}

}  // namespace apus
