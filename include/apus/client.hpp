// SPDX-License-Identifier: Apache-2.0
#pragma once

// HTTP/1.1 and HTTP/2 client on the core's event loop. Requests to other servers do not block the core. To test an app
// without a network, see test.hpp.

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

struct client_tls_options;

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

/// TLS configuration of a client, made from the options in tls.hpp. Default-constructed: no TLS.
/// Copies share one configuration and may be used by any thread. CA certificates are read once, at
/// construction.
class client_tls {
public:
    client_tls() noexcept : parts_(nullptr) {}
    /// Throws `std::runtime_error`, which names the file, if a file cannot be used.
    explicit client_tls(const client_tls_options&);

    runtime::client_security* operator->() const noexcept { return parts_.operator->(); }
    explicit operator bool() const noexcept { return parts_.operator->() != nullptr; }

private:
    friend class detail::shared<client_tls, runtime::client_security>;
    static void keep(runtime::client_security*) noexcept;
    static void let_go(runtime::client_security*) noexcept;

    detail::shared<client_tls, runtime::client_security> parts_;
};

/// Versions of HTTP that a client uses.
enum class client_protocols : std::uint8_t {
    automatic,  ///< https: HTTP/2 if the server selects it by ALPN, otherwise HTTP/1.1. http: HTTP/1.1.
    http1,      ///< Only HTTP/1.1.
    http2,      ///< Only HTTP/2, else error 502. https: by ALPN. http: by prior knowledge (RFC 9113, 3.3).
};

/// Timeouts and limits of a client. Each core has its own client, so limits apply per core.
struct client_options {
    client_tls tls = {};  ///< TLS for https URLs. Empty: https URLs fail with 500.

    client_protocols protocols = client_protocols::automatic;  ///< Versions of HTTP.

    /// For name resolution, connecting to all addresses, and the TLS handshake together. Over it: 504.
    duration connect = seconds(5);
    /// From the end of the request to the end of the response head. Over it: 504.
    duration head = seconds(30);
    duration between_bytes = seconds(30);  ///< Between two pieces of a body, received or sent. Over it: 504.
    /// For the whole request: queueing, redirects, retries, body. For `open`: until the response head.
    /// Over it: 504.
    duration whole = seconds(60);
    duration queue = seconds(5);  ///< For waiting until a connection or stream is free. Over it: 503.
    /// An unused connection is closed after this time. Should be less than the server's idle timeout.
    duration idle = seconds(15);

    /// Connections to one scheme, host and port at a time. At least 1.
    /// In HTTP/2, another connection is opened only if the open connections accept no further requests.
    std::uint32_t connections_per_origin = 32;
    /// Total connections. At the limit, an idle connection to another origin is closed. At least 1.
    std::uint32_t connections = 256;
    std::uint32_t waiting = 1'024;  ///< Requests that wait for a connection or stream. Over it: 503.

    std::uint32_t status_line = 8 * 1024;  ///< Bytes of a response's status line. Over it: 502. At most 32,768.
    /// Field lines of a head, and separately of a trailer section. Over it: 502. At most 128.
    std::uint32_t fields = 100;
    std::uint32_t field_bytes = 16 * 1024;  ///< Bytes of all field lines. Over it: 502. At most 32,768.
    /// Bytes of a body that is read as a whole. Over it: 502. Streamed bodies have no limit.
    std::uint64_t body = 8 * 1024 * 1024;

    /// Whether to accept and decode gzip, br and zstd; see `client`. Proxies should set it to false.
    bool decompress = true;

    /// Maximum redirects of one request. Over it: 502. 0: a redirect is returned as the response.
    std::uint32_t redirects = 5;
    std::uint32_t retries = 0;  ///< Maximum further attempts; see `client`. A request may override it.
    /// Names of request fields that a redirect also sends to another origin; see `client`.
    std::vector<std::string> fields_to_other_origins = {};
    /// Name of the client in metrics, as the label `client`. Clients of one name are counted together.
    std::string name = "default";
};

/// Address to which a client is about to connect. Passed to the function of `client::allow`.
class peer_address {
public:
    peer_address(std::string_view host, std::string_view address, std::uint16_t port, bool is_public) noexcept
        : host_(host), address_(address), port_(port), is_public_(is_public) {}

    std::string_view host() const noexcept { return host_; }  ///< Host of the URL: a name or an address.
    /// Resolved address: "10.0.0.1", "::1", or the path of a Unix socket.
    std::string_view address() const noexcept { return address_; }
    std::uint16_t port() const noexcept { return port_; }  ///< 0 for a Unix socket.

    /// Whether the address belongs to the public internet.
    /// False for Unix sockets; for loopback, private, link-local, shared-space, documentation and multicast addresses
    /// (RFC 6890); and for IPv6 addresses that embed such an IPv4 address.
    bool is_public() const noexcept { return is_public_; }

private:
    std::string_view host_, address_;
    std::uint16_t port_;
    bool is_public_;
};

/// Writer of a streamed request body.
class client_writer {
public:
    explicit client_writer(outbound::exchange& to) noexcept : to_(&to) {}
    client_writer(const client_writer&) = delete;
    client_writer& operator=(const client_writer&) = delete;

    /// Sends a copy of these bytes.
    /// `co_await` waits while more than 64 KiB are unsent. If the server stops reading, the writing task waits until
    /// the request ends, and is then cancelled. If no response arrives in time, the request fails.
    task<> write(std::string_view bytes);

private:
    outbound::exchange* to_;
};

namespace detail {

/// An owned, type-erased callable.
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

/// Contents of a request.
struct asked {
    std::string method, url, via, fields, body, media_type;
    upload uploads;
    std::uint64_t length = 0;  // of the uploaded body
    duration whole = {};
    std::int32_t redirects = -1, retries = -1;
    bool expects_continue = false, has_body = false;
    bool exclusive = false;  // requires an exclusive HTTP/1.1 connection
    bool untraced = false;   // has no span and no trace context
};

}  // namespace detail

/// A request to another server.
/// Only the client sets Content-Length, Transfer-Encoding, Connection, Expect, TE, Upgrade and Keep-Alive. The client
/// adds Host and User-Agent if the request does not have them.
class client_request {
public:
    /// `url`: "http://host[:port]/path?query", or with https. A fragment is dropped.
    /// A URL that is invalid or not percent-encoded fails with 500 when the request is sent. Throws
    /// `std::invalid_argument` if `method` is not a token, or is CONNECT.
    client_request(std::string_view method, std::string_view url);
    /// Adds a field line.
    /// Throws `std::invalid_argument` for an invalid name or value, and for fields that only the client sets.
    client_request& header(std::string_view name, std::string_view value) &;

    /// Sets the body and Content-Type. An empty media type omits Content-Type.
    client_request& body(std::string bytes, std::string_view media_type) &;

    /// Sets a body that `f(client_writer&) -> task<>` writes while the client waits for the response.
    /// Objects that `f` captures by reference must live until the end of the response's body. A body that is longer or
    /// shorter than `length` fails with 500. Without `length`, an HTTP/1.1 body is sent in chunks. The body is never
    /// sent twice: the request is not retried, and a redirect that requires the body again is returned as the response.
    /// If the task of `f` fails, the request fails.
    template <class F>
    client_request& stream(std::string_view media_type, F f, std::uint64_t length = unknown_length) & {
        of_.uploads = detail::upload(new F(std::move(f)));
        upload_of(media_type, length);
        return *this;
    }
    static constexpr std::uint64_t unknown_length = ~std::uint64_t{0};

    /// Connects to this address instead of the URL's host: "unix:/run/app.sock", "127.0.0.1:8080".
    client_request& via(std::string_view where) & { return of_.via = where, *this; }
    /// Overrides `client_options::whole`, `redirects` or `retries` for this request.
    client_request& deadline(duration whole) & { return of_.whole = whole, *this; }
    client_request& redirects(std::uint32_t most) & { return of_.redirects = static_cast<std::int32_t>(most), *this; }
    client_request& retries(std::uint32_t most) & { return of_.retries = static_cast<std::int32_t>(most), *this; }
    /// Sends the body only after the server's 100 (Continue), or after one second without a response
    /// (RFC 9110, 10.1.1). For large bodies that the server may reject.
    client_request& expect_continue() & { return of_.expects_continue = true, *this; }

    /// Used by the client.
    detail::asked& asked() noexcept { return of_; }

private:
    void upload_of(std::string_view media_type, std::uint64_t length);
    detail::asked of_;
};

/// The head of a received response. Belongs to the core that sent the request.
class client_head {
public:
    client_head(client_head&& other) noexcept;
    client_head& operator=(client_head&& other) noexcept;
    ~client_head();

    int status() const noexcept;               ///< 200 to 599.
    std::string_view reason() const noexcept;  ///< May be empty.
    /// Value of the first field with this name, ignoring case; empty if missing.
    std::string_view header(std::string_view name) const noexcept;
    std::size_t header_count() const noexcept;               ///< Number of fields.
    field_view header_at(std::size_t index) const noexcept;  ///< In the order sent; `index` below `header_count()`.
    std::string_view url() const noexcept;  ///< URL of the response; differs from the request's after redirects.

protected:
    explicit client_head(outbound::received* of) noexcept : of_(of) {}
    outbound::received* of_;
};

/// A response with its whole body.
class client_response : public client_head {
public:
    const std::string& body() const& noexcept;
    std::string body() && noexcept;  ///< Moves the body out of the response.

private:
    friend class client;
    using client_head::client_head;
};

/// A response whose body is read incrementally.
/// If destroyed before the end of the body, closes the connection (HTTP/1.1) or resets the stream (HTTP/2).
class client_stream : public client_head {
public:
    client_stream(client_stream&& other) noexcept;
    client_stream& operator=(client_stream&& other) noexcept;
    ~client_stream();

    /// Returns the next piece of the body, or an empty view at the end. Valid until the next call.
    /// Between calls, the client receives a limited number of bytes (backpressure). Fails if the body is malformed,
    /// incomplete or late.
    task<std::string_view> read();

    /// Returns the rest of the body. Fails with 502 if it exceeds `client_options::body`.
    task<std::string> rest();

private:
    friend class client;
    client_stream(outbound::received* of, outbound::exchange* by) noexcept : client_head(of), by_(by) {}
    outbound::exchange* by_;
};

/// HTTP client that keeps connections open for further requests.
/// A client is a handle: copies share the connections. A client that is created in `make_app` belongs to one core, and
/// so do the objects that it returns. If handlers capture the client by value, the client lives as long as the app.
///
/// A status of 400 or more is a normal response. `co_await` propagates an error; `.outcome()` returns it. Errors:
/// 502 for an unreachable server, a malformed or too large response, or a certificate that is not trusted or does not
/// match the host; 504 for a timeout; 503 for too many concurrent requests; 403 for an address that `allow` rejects;
/// 500 for an invalid URL, or an https URL without `client_options::tls`. Error details contain no addresses, since
/// clients of this server may receive the details.
///
/// Requests can be cancelled at every wait. Cancelling closes the connection in HTTP/1.1, and resets the stream in
/// HTTP/2.
///
/// In HTTP/2, the requests of a core to one origin share a connection, within the number of streams that the server
/// allows. The server may declare a request as not processed (by REFUSED_STREAM, or by GOAWAY with a lower stream
/// identifier). The client then sends the request again, with any method, up to three times, unless the body is
/// streamed.
///
/// If a reused connection closes before the first byte of the response, the client sends the request again on another
/// connection. The method must be idempotent (RFC 9110, 9.2.2), and the body must not be streamed. All other retries
/// require `retries`: after failures to connect; and for idempotent methods, after a failed exchange and after
/// responses with 429, 502, 503 or 504. The delay before a retry is the value of Retry-After. Without this field, the
/// delay is 50 ms, doubled after each retry up to 5 s, and reduced at random by up to a half. A retry budget limits the
/// load on a failing server: each request adds a tenth of a retry, up to ten retries.
///
/// With `decompress`, requests that have neither Accept-Encoding nor Range accept `gzip, br, zstd`, and the client
/// decodes responses in one of these codings. The client removes Content-Encoding and Content-Length of such a
/// response, since they describe the encoded body; `body` limits the decoded size. A malformed or truncated encoded
/// body is error 502.
///
/// The client follows redirects (RFC 9110, 15.4). After 303, and after 301 and 302 of a POST, the next request is a GET
/// without a body. HEAD remains HEAD. A redirect from https to http is error 502. At another origin, `via` no longer
/// applies, and only these fields of the request are sent: Accept, Accept-Charset, Accept-Encoding, Accept-Language,
/// Cache-Control, Content-Encoding, Content-Language, Content-Type, Range, User-Agent and `fields_to_other_origins`.
/// Authorization, Cookie and API keys are not sent.
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

    /// Restricts connections to addresses for which `f(const peer_address&) -> bool` returns true.
    /// `f` is called after each name resolution, also for redirects, since any name may resolve to a private address.
    /// Call `allow` before the first request. For URLs from users:
    /// `http.allow([](const apus::peer_address& to) { return to.is_public(); })`.
    template <class F>
    void allow(F f) {
        static_assert(std::is_invocable_r_v<bool, F&, const peer_address&>,
                      "the function of allow() must be (const peer_address&) -> bool");
        allow_by(detail::permit(new F(std::move(f))));
    }

    /// Sends a GET, and returns the whole response.
    task<client_response> get(std::string_view url) const;
    /// Sends a POST, and returns the whole response.
    task<client_response> post(std::string_view url, std::string body, std::string_view media_type) const;
    task<client_response> send(client_request) const;  ///< Returns the whole response.
    task<client_stream> open(client_request) const;    ///< Returns when the response's head has arrived.

private:
    friend class ws::caller;
    void allow_by(detail::permit);
    static task<client_response> take_whole(outbound::pool_hold, client_request);
    static task<client_stream> take_head(outbound::pool_hold, client_request);

    outbound::pool* pool_;
};

}  // namespace apus
