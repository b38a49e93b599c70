// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test client for apps, without a network. Requests pass through the same protocol code, limits and timeouts as in a
// server, over a socket pair and an event loop on this thread.

#include <apus/app.hpp>
#include <apus/detail/json_calls.hpp>
#include <apus/limits.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace apus::detail {

/// Throws `std::runtime_error` for unexpected JSON.
/// The message names `what` and contains `why` and `shown`.
[[noreturn]] void throw_not_json(std::string_view what, const error& why, std::string_view shown);

/// Parses JSON that a test has received.
template <class T>
T received_json(std::string_view text, std::string_view what, std::string_view shown) {
    static_assert(has_json<T>, "reading a response as JSON needs #include <apus/json.hpp>");
    auto made = from_json<T>(text);
    if (!made) throw_not_json(what, made.error(), shown);
    return *std::move(made);
}

}  // namespace apus::detail

namespace apus::test {

/// Response of an app.
class response {
public:
    int status = 0;  ///< 0: the connection was closed without a response.
    /// As sent: status line, field lines and empty line.
    /// A response by HTTP/2 has the same form, with the status line "HTTP/2 200".
    std::string head;
    std::string body;     ///< Without framing.
    std::string trailer;  ///< The field lines after the body, as sent.
    bool closed = false;  ///< Whether the app closes the connection after this response.

    /// Returns the first field of this name, case-insensitively; empty if missing.
    std::string_view header(std::string_view name) const noexcept;
    /// Returns the first trailer field of this name, case-insensitively; empty if missing.
    std::string_view trailer_field(std::string_view name) const noexcept;

    /// The request in the form of HTTP/1.1: head and body. JSON bodies lack `apus::secret` values.
    std::string request;

    /// Returns request and response, each truncated after 2,000 bytes, for failure messages:
    /// `CHECK_MESSAGE(got.body == "x", got.text())`.
    std::string text() const;

    /// Returns this response if its status is `wanted`.
    /// Otherwise throws `std::runtime_error` with both statuses and `text()`.
    const response& expect(int wanted) const&;
    response expect(int wanted) &&;

    /// Parses the body as JSON, by the rules of `from_json`.
    /// Requires <apus/json.hpp>. Throws `std::runtime_error` with the error and `text()`, also if Content-Type is not
    /// JSON.
    template <class T>
    T json() const {
        check_json();
        return apus::detail::received_json<T>(body, "response", text());
    }

private:
    void check_json() const;
};

/// A server-sent event.
struct event {
    std::string name;  ///< "message" if the app sent no name.
    std::string data;  ///< Lines are separated by LF.
    std::string id;    ///< Id of this event; may be empty.

    /// Parses `data` as JSON, by the rules of `from_json`.
    /// Requires <apus/json.hpp>. Throws `std::runtime_error` with the error and `data`.
    template <class T>
    T json() const {
        return apus::detail::received_json<T>(data, "event", data);
    }
};

/// A response that the test reads incrementally.
/// Returned by `client::open`. For streams, and for handlers that wait for `client::advance`. It has its own
/// connection, so the client can send other requests meanwhile. Waits throw `std::runtime_error` after
/// `client_options::timeout`.
class response_stream {
public:
    response_stream(response_stream&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    response_stream& operator=(response_stream&& other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~response_stream();  ///< Closes the connection, like a client that disconnects.

    /// Runs the app until it waits. Returns true if the head has arrived.
    bool has_begun();

    int status();                                    ///< Waits for the head. 0: the connection was closed before.
    std::string_view header(std::string_view name);  ///< Waits for the head.

    /// Waits for a piece of the body and returns it without framing. Empty at the end.
    std::string read();

    /// Waits for the next server-sent event, and skips comments.
    /// Returns nullopt at the end of the stream.
    std::optional<event> next_event();

    /// Waits for the end of the response.
    /// The body of the result is the part that `read` has not returned.
    response rest();

private:
    friend class client;
    struct parts;
    explicit response_stream(parts* p) noexcept : parts_(p) {}
    bool await(bool bytes);

    parts* parts_;
};

/// A WebSocket message from the app.
struct message {
    std::string bytes;
    bool binary = false;  ///< False: text.

    /// Parses the message as JSON, by the rules of `from_json`.
    /// Requires <apus/json.hpp>. Throws `std::runtime_error` with the error and the message.
    template <class T>
    T json() const {
        return apus::detail::received_json<T>(bytes, "message", bytes);
    }

    bool operator==(std::string_view same) const noexcept { return bytes == same; }
};

/// Client side of a WebSocket.
/// Returned by `client::connect`. It has its own connection, so a client can have several WebSockets and send other
/// requests. It does not offer compression. It responds to pings while the app runs, including during `advance`. Waits
/// throw `std::runtime_error` after `client_options::timeout`.
class websocket {
public:
    websocket(websocket&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    websocket& operator=(websocket&& other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~websocket();  ///< Closes the connection without a Close frame, like a client that crashed.

    const response& handshake() const noexcept;     ///< Response to the opening handshake: 101, or an error.
    std::string_view subprotocol() const noexcept;  ///< The selected subprotocol, or empty.
    bool is_open() const noexcept;                  ///< False if this end or the app has closed the WebSocket.

    /// Sends UTF-8 text. Has no effect if the WebSocket is closed.
    void send(std::string_view text);
    /// Sends binary data. Has no effect if the WebSocket is closed.
    void send_binary(std::string_view bytes);

    /// Waits for the next message.
    /// Returns nullopt if the app has closed the WebSocket, or rejected the handshake.
    std::optional<message> receive();

    /// Runs the app until it waits. Returns true if a message has arrived.
    bool has_message();

    /// Sends a Close frame. Messages in flight can still be received. 1005: no code.
    void close(unsigned code = 1000, std::string_view reason = {});

    /// Waits until the app has closed the WebSocket, and returns the close code.
    /// 1005: the Close frame had no code. 1006: the connection ended without a Close frame. Messages that arrived
    /// before the end can still be received.
    unsigned close_code();
    std::string_view close_reason();  ///< Waits like `close_code`, and returns the reason.

    unsigned pings() const noexcept;       ///< Number of received pings.
    void respond_to_pings(bool) noexcept;  ///< `false` simulates an unreachable client.

private:
    friend class client;
    struct parts;
    explicit websocket(parts* p) noexcept : parts_(p) {}

    parts* parts_;
};

/// A part of a multipart/form-data body (RFC 7578). With a file name, it is a file.
struct part {
    std::string_view name;
    std::string_view value;
    std::string_view filename = {};
    std::string_view media_type = {};  ///< Not sent if empty.
};

/// Options of a test client, and of the server that it runs.
struct client_options {
    apus::limits limits = {};        ///< Limits of the server, as in `serve_options`.
    duration timeout = seconds(10);  ///< Maximum wait for one response.
    /// Stores cookies by name and sends them back, regardless of path and domain.
    bool cookies = false;
    /// Sends requests by HTTP/2 without TLS (RFC 9113, 3.3).
    /// `send_raw` and `connect` use HTTP/1.1. Requires that HTTP/2 is linked, which is the default.
    bool http2 = false;
};

/// A client of one app. Requests share a connection, which is reopened if the app has closed it.
/// Each call waits for the whole response; other tasks of the app run meanwhile.
///
/// Belongs to the thread that created it.
/// If the app does not respond within `timeout`, the call throws `std::runtime_error`, so a test fails instead of
/// hanging.
class client {
public:
    using fields = std::initializer_list<field_view>;

    explicit client(app);
    client(app, client_options);
    client(client&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    client& operator=(client&& other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~client();

    /// Sends a GET for a target such as "/users/7?full=1".
    /// The client adds Host, and Content-Length with a body, unless `extra` has these fields.
    response get(std::string_view target, fields extra = {}) { return send("GET", target, {}, extra); }
    /// Sends a HEAD, like `get`.
    response head(std::string_view target, fields extra = {}) { return send("HEAD", target, {}, extra); }
    /// Sends a POST, like `get`.
    response post(std::string_view target, std::string_view body, fields extra = {}) {
        return send("POST", target, body, extra);
    }
    /// Sends a PUT, like `get`.
    response put(std::string_view target, std::string_view body, fields extra = {}) {
        return send("PUT", target, body, extra);
    }
    /// Sends a PATCH, like `get`.
    response patch(std::string_view target, std::string_view body, fields extra = {}) {
        return send("PATCH", target, body, extra);
    }
    /// Posts a value as JSON: `post("/todos", apus::json{todo{...}})`. Requires <apus/json.hpp>.
    template <class T>
    response post(std::string_view target, const json<T>& value, fields extra = {}) {
        return send_json("POST", target, to_json_with_secrets(value.value), to_json(value.value), extra);
    }
    /// Sends a PUT with a value as JSON, like `post`.
    template <class T>
    response put(std::string_view target, const json<T>& value, fields extra = {}) {
        return send_json("PUT", target, to_json_with_secrets(value.value), to_json(value.value), extra);
    }
    /// Sends a PATCH with a value as JSON, like `post`.
    template <class T>
    response patch(std::string_view target, const json<T>& value, fields extra = {}) {
        return send_json("PATCH", target, to_json_with_secrets(value.value), to_json(value.value), extra);
    }
    /// Sends a DELETE, like `get`.
    response del(std::string_view target, fields extra = {}) { return send("DELETE", target, {}, extra); }
    /// Sends an OPTIONS, like `get`.
    response options(std::string_view target, fields extra = {}) { return send("OPTIONS", target, {}, extra); }

    /// Sends a request with any method.
    response send(std::string_view method, std::string_view target, std::string_view body, fields extra = {});

    /// Sends a request without waiting. The result reads the response incrementally.
    response_stream open(std::string_view method, std::string_view target, std::string_view body = {},
                         fields extra = {});

    /// Opens a WebSocket, and waits for the response to the handshake.
    /// `websocket::handshake` returns the response. `extra` has additional header fields, such as
    /// `{"origin", "https://a.example"}` or `{"sec-websocket-protocol", "chat"}`.
    websocket connect(std::string_view target, fields extra = {});

    /// Advances the clock of the apps of this thread, so that tests need not sleep.
    /// Affects timeouts, `sleep_for`, expiry of sessions, tokens and caches, rate limits, connection deadlines, and
    /// `Date`. Expired timers run in order, each with the work that it causes. Real time continues to advance the
    /// clock. Other threads are not affected. The clock is reset when the last client of the thread is destroyed.
    void advance(duration by);

    /// Posts a form like a browser, as application/x-www-form-urlencoded.
    response form(std::string_view target, fields values, fields extra = {});

    /// Posts multipart/form-data. Names are escaped like in browsers (WHATWG HTML, 4.10.21.8).
    response upload(std::string_view target, std::initializer_list<part> parts, fields extra = {});

    /// Makes `fake` serve the requests that the app's own HTTP and WebSocket clients send to `host`.
    ///
    /// `host` is a name or address as in URLs, for any port, or "name:port". The fake serves http and https, without
    /// TLS handshakes. `client::allow` and `client_request::via` are ignored. The fake serves all apps of this thread
    /// until the client is destroyed. A new fake replaces the previous fake of the same host.
    void upstream(std::string_view host, app fake);

    /// Returns the value of a stored cookie, or empty; see `client_options::cookies`.
    std::string_view cookie(std::string_view name) const noexcept;
    void forget_cookies() noexcept;  ///< Removes all cookies.

    /// Sends arbitrary bytes by HTTP/1.1, and waits for one response.
    response send_raw(std::string_view bytes);

    /// Waits for the next response, after `send_raw` has sent several requests.
    response receive();

private:
    struct parts;
    response send_typed(std::string_view method, std::string_view target, std::string_view body,
                        std::string_view media_type, fields extra);
    /// `shown`: the body without secrets, for failure messages.
    response send_json(std::string_view method, std::string_view target, std::string_view body, std::string_view shown,
                       fields extra);
    std::string request_text(std::string_view method, std::string_view target, std::string_view body,
                             std::string_view media_type, fields extra) const;
    parts* parts_;
};

}  // namespace apus::test
