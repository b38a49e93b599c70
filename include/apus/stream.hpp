// SPDX-License-Identifier: Apache-2.0
#pragma once

// Responses written piece by piece, and connections taken over by another protocol.

#include <apus/http.hpp>

namespace apus {

/// Waits until a write may go on. Made by `writer::write`.
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

/// Where a streamed body goes. If the client resets the connection, a write to it fails, or it reads
/// too slowly for `limits::drain_rate`, the task that writes is cancelled where it waits.
class writer {
public:
    explicit writer(http::exchange& to) noexcept : to_(&to) {}
    writer(const writer&) = delete;
    writer& operator=(const writer&) = delete;

    /// Sends these bytes, which are copied. Waits while more than 64 KiB are unsent.
    body_write write(std::string_view bytes);

    /// Adds a field after the body (RFC 9110, 6.5). Dropped where the client takes no chunked
    /// body. Throws like `response::header`.
    void trailer(std::string_view name, std::string_view value);

    /// Whether the server is stopping: a response that may last should come to its end. It is cut off
    /// at the drain deadline (`serve_options::drain`).
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

/// A body of unknown length, written by `f(writer&) -> task<>` or `f(request&, writer&) -> task<>`.
/// What `f` captures lives until the body has ended. If its task fails, the connection is closed
/// so that the client can tell (RFC 9112, 8).
template <class F>
response stream(std::string_view media_type, F f) {
    response res;
    res.produce(detail::make_producer(std::move(f)), media_type);
    return res;
}

/// Answers 101 and hands the connection to `f(request&, writer&) -> task<>`: from then on
/// `request::read` and `writer::write` carry its raw bytes (RFC 9110, 7.8). If the request did
/// not ask for `protocol` by Upgrade and Connection, the client gets 426.
template <class F>
response upgrade(std::string_view protocol, F f) {
    response res(101);
    res.header("upgrade", protocol);
    res.produce(detail::make_producer(std::move(f)), {});
    return res;
}

}  // namespace apus
