// SPDX-License-Identifier: Apache-2.0
#pragma once

// Asking an app without a network. Requests go through the same protocol code, limits and
// deadlines as in a server, over a pair of sockets and a loop of this thread.

#include <apus/app.hpp>
#include <apus/limits.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace apus {

/// In json.hpp, as the two below.
template <class T>
struct json;
/// As there.
template <class T>
result<T> from_json(std::string_view text);
/// As there.
template <class T>
std::string to_json(const T& value);

}  // namespace apus

namespace apus::test {

/// What an app has answered.
class answer {
public:
    int status = 0;       ///< 0: the connection was closed without an answer.
    std::string head;     ///< As sent: the status line, the field lines, and the empty line.
    std::string body;     ///< Without its framing.
    std::string trailer;  ///< The field lines after a chunked body, as sent.
    bool closed = false;  ///< The app has closed the connection after this answer.

    /// The first field of this name, in any case; empty if there is none.
    std::string_view header(std::string_view name) const noexcept;
    /// The same among the fields after the body.
    std::string_view trailer_field(std::string_view name) const noexcept;

    std::string request;  ///< What was asked, as sent: head and body.

    /// Request and answer, one below the other, each cut after 2,000 bytes: what a failing
    /// assertion shows, as in `CHECK_MESSAGE(got.body == "x", got.text())`.
    std::string text() const;

    /// This, if the status is `wanted`; else throws `std::runtime_error` with both statuses and `text()`.
    const answer& expect(int wanted) const&;
    answer expect(int wanted) &&;

    /// The body as JSON, by the rules of `from_json`; <apus/json.hpp> has to be included. Throws
    /// `std::runtime_error` with what is wrong and `text()`, also if Content-Type says no JSON.
    template <class T>
    T json() const {
        static_assert(requires { sizeof(apus::json<T>); }, "reading an answer as JSON needs #include <apus/json.hpp>");
        check_json();
        auto made = from_json<T>(std::string_view(body));
        if (!made) no_json(made.error());
        return *std::move(made);
    }

private:
    void check_json() const;
    [[noreturn]] void no_json(const error&) const;
};

/// An event of a stream of server-sent events.
struct event {
    std::string name;  ///< "message" if the app has named none.
    std::string data;  ///< Several lines of it with LF between.
    std::string id;    ///< As in this event; empty if it has none.
};

/// An answer that the test takes as it comes: of a stream, or of a handler that waits for a time that
/// `client::advance` brings. Made by `client::begin`, on a connection of its own, so the client goes on
/// asking meanwhile. What waits throws `std::runtime_error` after `client::settings::patience`.
class incoming {
public:
    incoming(incoming&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    incoming& operator=(incoming&& other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~incoming();  ///< Closes the connection, as a client that goes away.

    /// Whether the head is there, once the app has done what it can do now. Does not wait.
    bool has_begun();

    int status();                                    ///< Waits for the head. 0: the connection was closed without one.
    std::string_view header(std::string_view name);  ///< Waits for the head.

    /// Waits for a piece of the body, without its framing, and gives what has come. Empty at the end.
    std::string read();

    /// Waits for the next server-sent event, past comments; nothing at the end of the stream.
    std::optional<event> next_event();

    /// Waits for the end. The body is what was not read before.
    answer rest();

private:
    friend class client;
    struct parts;
    explicit incoming(parts* p) noexcept : parts_(p) {}
    bool await(bool bytes);

    parts* parts_;
};

/// A message of a WebSocket, as an app has sent it.
struct message {
    std::string bytes;
    bool binary = false;  ///< Else it is text.

    bool operator==(std::string_view same) const noexcept { return bytes == same; }
};

/// A test's end of a WebSocket. Made by `client::connect`, on a connection of its own, so that several may
/// be open at a time, and the client goes on asking. It offers no compression. Pings are answered whenever the
/// app does something, also while the time is moved. What waits throws `std::runtime_error` after
/// `client::settings::patience`.
class socket {
public:
    socket(socket&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    socket& operator=(socket&& other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~socket();  ///< Cuts the connection, as a client that goes away without a word.

    const answer& opening() const noexcept;         ///< To the opening handshake: 101, or why there is no WebSocket.
    std::string_view subprotocol() const noexcept;  ///< The one that was chosen, or empty.
    bool is_open() const noexcept;                  ///< Neither end has closed it, as far as is known.

    /// Sends a text, which is to be UTF-8. Nothing is sent where the WebSocket is closed.
    void send(std::string_view text);
    /// The same for any bytes.
    void send_binary(std::string_view bytes);

    /// Waits for the next message; gives nothing when there will be none, since the app has closed the WebSocket,
    /// or never opened it.
    std::optional<message> receive();

    /// Whether a message is there, once the app has done what it can do now. Does not wait.
    bool has_message();

    /// Sends a Close frame. What is on its way can still be received. 1005: without a code.
    void close(unsigned code = 1000, std::string_view reason = {});

    /// Waits until the app has closed the WebSocket, and gives the code it has said; 1005 if it has named
    /// none, 1006 if the connection has ended without a Close frame. Messages that have come stay to be received.
    unsigned close_code();
    std::string_view close_reason();  ///< The same for its words.

    unsigned pings() const noexcept;   ///< How many have come.
    void answer_pings(bool) noexcept;  ///< `false`: as a client does that is there no more, though nothing says so.

private:
    friend class client;
    struct parts;
    explicit socket(parts* p) noexcept : parts_(p) {}

    parts* parts_;
};

/// A part of a multipart/form-data body (RFC 7578). With a file name it is an upload.
struct part {
    std::string_view name;
    std::string_view value;
    std::string_view filename = {};
    std::string_view media_type = {};  ///< None is sent if it is empty.
};

/// A client of one app. Its requests share a connection, which is made again when the app has
/// closed it. Each call waits for the whole answer; the app's other tasks go on meanwhile.
///
/// Belongs to the thread that made it. An app that gives no answer within `patience` makes the
/// call throw `std::runtime_error`, so a test fails and does not hang.
class client {
public:
    using fields = std::initializer_list<field_view>;

    /// How the app is served to the client.
    struct settings {
        limits bounds = {};               ///< As in `serve_options`.
        duration patience = seconds(10);  ///< For one answer.
        /// Keeps cookies by name and sends them back, whatever their path and domain say.
        bool cookies = false;
    };

    explicit client(app);
    client(app, settings);
    client(client&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    client& operator=(client&& other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~client();

    /// Asks for a target, such as "/users/7?full=1". Host is sent, and Content-Length where there
    /// is a body; a field given in `extra` takes the place of one that is sent by default.
    answer get(std::string_view target, fields extra = {}) { return ask("GET", target, {}, extra); }
    /// As `get`.
    answer head(std::string_view target, fields extra = {}) { return ask("HEAD", target, {}, extra); }
    /// As `get`.
    answer post(std::string_view target, std::string_view body, fields extra = {}) {
        return ask("POST", target, body, extra);
    }
    /// As `get`.
    answer put(std::string_view target, std::string_view body, fields extra = {}) {
        return ask("PUT", target, body, extra);
    }
    /// As `get`.
    answer patch(std::string_view target, std::string_view body, fields extra = {}) {
        return ask("PATCH", target, body, extra);
    }
    /// As `get`, with a value as JSON: `post("/todos", apus::json{todo{...}})`, by <apus/json.hpp>.
    template <class T>
    answer post(std::string_view target, const json<T>& value, fields extra = {}) {
        return ask_json("POST", target, to_json(value.value), extra);
    }
    /// As `post`.
    template <class T>
    answer put(std::string_view target, const json<T>& value, fields extra = {}) {
        return ask_json("PUT", target, to_json(value.value), extra);
    }
    /// As `post`.
    template <class T>
    answer patch(std::string_view target, const json<T>& value, fields extra = {}) {
        return ask_json("PATCH", target, to_json(value.value), extra);
    }

    /// As `get`.
    answer del(std::string_view target, fields extra = {}) { return ask("DELETE", target, {}, extra); }
    /// As `get`.
    answer options(std::string_view target, fields extra = {}) { return ask("OPTIONS", target, {}, extra); }

    /// The same with any method.
    answer ask(std::string_view verb, std::string_view target, std::string_view body, fields extra = {});

    /// Asks without waiting for the answer, which is then read as it comes.
    incoming begin(std::string_view verb, std::string_view target, std::string_view body = {}, fields extra = {});

    /// Opens a WebSocket, and waits for the answer to that: `socket::opening`. What is in `extra` is sent with the
    /// handshake, as `{"origin", "https://a.example"}` or `{"sec-websocket-protocol", "chat"}`.
    socket connect(std::string_view target, fields extra = {});

    /// Moves the time by which the apps of this thread live, so that a test need not sleep: timeouts,
    /// `sleep`, expiry of sessions, tokens and caches, rate limits, deadlines of connections, `Date`. What
    /// becomes due on the way is done in its order, and what that leads to. Time goes on as ever besides;
    /// what runs on other threads takes the time that it takes. The time is back when the last client
    /// of the thread is gone.
    void advance(duration by);

    /// Posts a form as browsers do: application/x-www-form-urlencoded.
    answer form(std::string_view target, fields values, fields extra = {});

    /// Posts multipart/form-data. Names are quoted as browsers do (WHATWG HTML, 4.10.21.8).
    answer upload(std::string_view target, std::initializer_list<part> parts, fields extra = {});

    /// The value of a cookie that is kept, or empty; see `settings::cookies`.
    std::string_view cookie(std::string_view name) const noexcept;
    void forget_cookies() noexcept;  ///< All of them.

    /// Sends these bytes as they are, so that they may be anything, and waits for one answer.
    answer send(std::string_view bytes);

    /// Waits for the next answer of requests that were sent together.
    answer receive();

private:
    struct parts;
    answer ask_typed(std::string_view verb, std::string_view target, std::string_view body, std::string_view media_type,
                     fields extra);
    answer ask_json(std::string_view verb, std::string_view target, std::string_view body, fields extra) {
        return ask_typed(verb, target, body, "application/json", extra);
    }
    std::string request_text(std::string_view verb, std::string_view target, std::string_view body,
                             std::string_view media_type, fields extra) const;
    parts* parts_;
};

}  // namespace apus::test
