// SPDX-License-Identifier: Apache-2.0
#pragma once

// Asking other servers by HTTP/1.1, on the loop that serves: no thread waits. An app is tested
// without a network by test.hpp.

#include <apus/detail/shared.hpp>
#include <apus/duration.hpp>
#include <apus/error.hpp>
#include <apus/http.hpp>
#include <apus/task.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace apus {

struct tls_client_options;

namespace runtime {
class client_security;
}

namespace outbound {
class exchange;
class pool_hold;
struct pool;
struct received;
}  // namespace outbound

namespace ws {
class caller;
}

/// TLS for a client, by options of tls.hpp, which is to be included to make one. An empty one, as it
/// is without options, speaks none. Copies are the same, and any thread may use them: the
/// certificates of authorities are read once, when it is made.
class tls_client {
public:
    tls_client() noexcept : parts_(nullptr) {}
    /// Throws `std::runtime_error`, which names the file, where one cannot be used.
    explicit tls_client(const tls_client_options&);

    runtime::client_security* operator->() const noexcept { return parts_.operator->(); }
    explicit operator bool() const noexcept { return parts_.operator->() != nullptr; }

private:
    friend class detail::shared<tls_client, runtime::client_security>;
    static void keep(runtime::client_security*) noexcept;
    static void let_go(runtime::client_security*) noexcept;

    detail::shared<tls_client, runtime::client_security> parts_;
};

/// Deadlines and bounds of a client. Each core's client has its own, so the counts are per core.
struct client_options {
    tls_client tls = {};  ///< For https. Empty: https is a 500.

    /// To look the name up, connect and end the handshake of TLS, all addresses together. Then 504.
    duration connect = seconds(5);
    duration head = seconds(30);           ///< From the end of the request to the end of the response's head. Then 504.
    duration between_bytes = seconds(30);  ///< Between two pieces of a body, received or sent. Then 504.
    /// For all of a request: waiting, redirects, retries, the body. Of `open`: until the head. Then 504.
    duration whole = seconds(60);
    duration queue = seconds(5);  ///< For a connection, where all are in use. Then 503.
    /// A connection without a request is closed after this. Less than the server's, best.
    duration idle = seconds(15);

    std::uint32_t connections_per_origin = 32;  ///< Connections to one scheme, host and port at a time. At least 1.
    /// Connections in all. Idle ones of other origins give way. At least 1.
    std::uint32_t connections = 256;
    std::uint32_t waiting = 1'024;  ///< Requests that wait for a connection. Over it: 503.

    std::uint32_t status_line = 8 * 1024;  ///< Bytes of a response's status line. Over it: 502. At most 32,768.
    /// Field lines of a head, and again of a trailer section. Over it: 502. At most 128.
    std::uint32_t fields = 100;
    std::uint32_t field_bytes = 16 * 1024;  ///< Bytes of all field lines. Over it: 502. At most 32,768.
    /// Bytes of a body that is taken whole. Over it: 502. What is streamed has no bound.
    std::uint64_t body = 8 * 1024 * 1024;

    /// Answers in gzip, br or zstd are asked for and decoded; see `client`. A proxy leaves them as they are.
    bool decompress = true;

    /// Followed for one request. One more: 502. 0: a redirection is an answer like others.
    std::uint32_t redirects = 5;
    std::uint32_t retries = 0;  ///< Further attempts; see `client`. A request may set its own.
    /// Fields that a redirection takes along to another origin, beside the harmless ones; see `client`.
    std::vector<std::string> fields_to_other_origins = {};
};

/// Where a client is about to connect, shown to the function given to `client::allow`.
class peer_address {
public:
    peer_address(std::string_view host, std::string_view address, std::uint16_t port, bool is_public) noexcept
        : host_(host), address_(address), port_(port), is_public_(is_public) {}

    std::string_view host() const noexcept { return host_; }  ///< As the URL has it: a name, or an address.
    /// What the name has led to: "10.0.0.1", "::1", or the path of a Unix socket.
    std::string_view address() const noexcept { return address_; }
    std::uint16_t port() const noexcept { return port_; }  ///< 0 for a Unix socket.

    /// Whether the address is one of the public internet: not of this machine, a private network, a
    /// link, shared or documentation space or a group (RFC 6890), also where IPv6 holds such an
    /// address of IPv4; and no Unix socket.
    bool is_public() const noexcept { return is_public_; }

private:
    std::string_view host_, address_;
    std::uint16_t port_;
    bool is_public_;
};

/// Where a streamed request body goes.
class client_writer {
public:
    explicit client_writer(outbound::exchange& to) noexcept : to_(&to) {}
    client_writer(const client_writer&) = delete;
    client_writer& operator=(const client_writer&) = delete;

    /// Sends these bytes, which are copied before this returns. Awaiting it waits while more than
    /// 64 KiB are unsent. It is not resumed when the server has stopped to read: the answer, or its
    /// absence, tells, and the task that writes is cancelled with the request.
    task<> write(std::string_view bytes);

private:
    outbound::exchange* to_;
};

namespace detail {

/// An owned callable of any type.
template <class Returns, class Takes>
class owned_call {
public:
    owned_call() = default;
    template <class F>
    explicit owned_call(F* f) noexcept
        : self_(f),
          call_([](void* self, Takes with) -> Returns { return (*static_cast<F*>(self))(with); }),
          destroy_([](void* self) { delete static_cast<F*>(self); }) {}
    owned_call(owned_call&& other) noexcept
        : self_(std::exchange(other.self_, nullptr)), call_(other.call_), destroy_(other.destroy_) {}
    owned_call& operator=(owned_call&& other) noexcept {
        std::swap(self_, other.self_);
        std::swap(call_, other.call_);
        std::swap(destroy_, other.destroy_);
        return *this;
    }
    ~owned_call() {
        if (self_) destroy_(self_);
    }
    explicit operator bool() const noexcept { return self_ != nullptr; }
    Returns operator()(Takes with) const { return call_(self_, with); }

private:
    void* self_ = nullptr;
    Returns (*call_)(void* self, Takes with) = nullptr;
    void (*destroy_)(void* self) = nullptr;
};

using upload = owned_call<task<>, client_writer&>;
using permit = owned_call<bool, const peer_address&>;

/// What a request holds.
struct asked {
    std::string verb, url, via, fields, body, media_type;
    upload uploads;
    std::uint64_t length = 0;  // of what is uploaded
    duration whole = {};
    std::int32_t redirects = -1, retries = -1;
    bool expects_continue = false, has_body = false;
};

}  // namespace detail

/// A request to be sent. Content-Length, Transfer-Encoding, Connection, Expect, TE, Upgrade and
/// Keep-Alive are the client's business: fields of these names are refused. Host and User-Agent are
/// sent unless they are given.
class client_request {
public:
    /// `url` is "http://host[:port]/path?query"; a fragment is dropped. It is checked when the
    /// request is sent: what is no such URL, or is not percent-encoded, is a 500. Throws
    /// `std::invalid_argument` if `verb` is no method's token, or is CONNECT.
    client_request(std::string_view verb, std::string_view url);
    /// Adds a field line. Throws as `response::header` does, so no data can end the line.
    client_request& header(std::string_view name, std::string_view value) &;

    /// The body, and what Content-Type says. An empty media type sends none.
    client_request& body(std::string bytes, std::string_view media_type) &;

    /// A body written by `f(client_writer&) -> task<>` while the response is awaited and read.
    /// What `f` captures by reference must live until the response's body has ended. Without
    /// `length` it is sent in chunks; a body of another length than was said is a 500. Such a
    /// request is not sent twice: it is not retried, and a redirection that would have to repeat it
    /// is given as it is. If the task of `f` fails, so does the request.
    template <class F>
    client_request& stream(std::string_view media_type, F f, std::uint64_t length = unknown_length) & {
        of_.uploads = detail::upload(new F(std::move(f)));
        upload_of(media_type, length);
        return *this;
    }
    static constexpr std::uint64_t unknown_length = ~std::uint64_t{0};

    /// Connects here in place of the URL's host: "unix:/run/app.sock", "127.0.0.1:8080".
    client_request& via(std::string_view where) & { return of_.via = where, *this; }
    /// In place of `client_options::whole`, `redirects` and `retries`.
    client_request& deadline(duration whole) & { return of_.whole = whole, *this; }
    client_request& redirects(std::uint32_t most) & { return of_.redirects = static_cast<std::int32_t>(most), *this; }
    client_request& retries(std::uint32_t most) & { return of_.retries = static_cast<std::int32_t>(most), *this; }
    /// Sends the body only when the server has said 100 (Continue), or after a second without an
    /// answer (RFC 9110, 10.1.1): for large bodies that may be refused.
    client_request& expect_continue() & { return of_.expects_continue = true, *this; }

    /// For the client.
    detail::asked& asked() noexcept { return of_; }

private:
    void upload_of(std::string_view media_type, std::uint64_t length);
    detail::asked of_;
};

/// The head of a response that has arrived. Belongs to the core that asked.
class client_head {
public:
    client_head(client_head&& other) noexcept;
    client_head& operator=(client_head&& other) noexcept;
    ~client_head();

    int status() const noexcept;               ///< 200 to 599.
    std::string_view reason() const noexcept;  ///< May be empty.
    /// The first field of this name, in any case, or empty.
    std::string_view header(std::string_view name) const noexcept;
    std::size_t header_count() const noexcept;               ///< How many there are.
    field_view header_at(std::size_t index) const noexcept;  ///< In the order sent; `index` below `header_count()`.
    std::string_view url() const noexcept;  ///< What answered: another URL than was asked for, after redirections.

protected:
    explicit client_head(outbound::received* of) noexcept : of_(of) {}
    outbound::received* of_;
};

/// A response with its whole body.
class client_response : public client_head {
public:
    const std::string& body() const& noexcept;
    std::string body() && noexcept;  ///< Without a copy.

private:
    friend class client;
    using client_head::client_head;
};

/// A response whose body is read piece by piece. Destroying it before the body's end closes the
/// connection.
class client_stream : public client_head {
public:
    client_stream(client_stream&& other) noexcept;
    client_stream& operator=(client_stream&& other) noexcept;
    ~client_stream();

    /// The next piece of the body, or an empty view at its end. Valid until the next read. The
    /// server is held back while nobody reads. A body that is broken, cut off or late is an error.
    task<std::string_view> read();

    /// All that is left of the body; over `client_options::body` is a 502.
    task<std::string> rest();

private:
    friend class client;
    client_stream(outbound::received* of, outbound::exchange* by) noexcept : client_head(of), by_(by) {}
    outbound::exchange* by_;
};

/// Asks servers, and keeps connections to them for further requests. A handle: copies share their
/// connections. Made in `make_app` it belongs to one core, as do all it gives; captured by value in
/// handlers it lives as long as the app.
///
/// A status of 400 or more is a response like others. What is an error, which `co_await` passes on
/// and `.outcome()` shows: 502 for a server that cannot be reached or whose answer is broken or too
/// large, 504 for one that is late, 503 for too many requests at a time, 403 for an address that
/// is not allowed, 500 for a URL that is none. The details name no addresses: clients of this
/// server may see them. https is a 500 without `client_options::tls`, and a 502 where the server's certificate is not
/// trusted, or not
/// for its host.
///
/// Cancelling is safe at every wait: a connection in the midst of a request is closed.
///
/// A request that finds its kept connection closed before a byte of the answer is sent again on
/// another, if its method is idempotent (RFC 9110, 9.2.2) and its body is not streamed. Beyond that nothing is
/// tried twice unless `retries` says so: then failures to connect are, and for idempotent methods
/// also broken answers and 429, 502, 503 and 504, after 50 ms doubled each time (and halved at random at most),
/// or what Retry-After says. Retries spend a budget: each request earns a tenth of one, of which
/// ten are kept, so a server that is down is not asked many times as often.
///
/// With `decompress`, requests that have neither Accept-Encoding nor Range say `gzip, br, zstd`, and an
/// answer in one of these is read without it: its Content-Encoding and Content-Length are not shown,
/// since they tell of other bytes, and `body` bounds what comes out. An answer that is not what it
/// says, or ends too early, is a 502. Other codings stay as they are.
///
/// Redirections are followed (RFC 9110, 15.4): 301 and 302 of POST, and 303, go on by GET without
/// the body. When the origin changes, `via` ends, and of the request's fields only these go along: Accept,
/// Accept-Charset, Accept-Encoding, Accept-Language, Cache-Control, Content-Encoding, Content-Language, Content-Type,
/// Range, User-Agent, and those of `fields_to_other_origins`. So no Authorization, Cookie or API key does.
class client {
public:
    client() : client(client_options()) {}
    explicit client(const client_options&);
    client(const client& other) noexcept;
    client(client&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)) {}
    client& operator=(client other) noexcept {
        std::swap(pool_, other.pool_);
        return *this;
    }
    ~client();

    /// Connections are made only where `f(const peer_address&) -> bool` says so, after the name was
    /// looked up: what the URL says of itself proves nothing. Redirections are asked about too. To
    /// be set before the first request. Where a URL comes from outside:
    /// `http.allow([](const apus::peer_address& to) { return to.is_public(); })`.
    template <class F>
    void allow(F f) {
        static_assert(std::is_invocable_r_v<bool, F&, const peer_address&>,
                      "what allows takes const peer_address& and gives bool");
        allow_by(detail::permit(new F(std::move(f))));
    }

    /// GET, and the whole response.
    task<client_response> get(std::string_view url) const;
    /// POST, and the whole response.
    task<client_response> post(std::string_view url, std::string body, std::string_view media_type) const;
    task<client_response> send(client_request) const;  ///< The whole response.
    task<client_stream> open(client_request) const;    ///< The response as soon as its head is there.

private:
    friend class ws::caller;
    void allow_by(detail::permit);
    static task<client_response> take_whole(outbound::pool_hold, client_request);
    static task<client_stream> take_head(outbound::pool_hold, client_request);

    outbound::pool* pool_;
};

}  // namespace apus
