// SPDX-License-Identifier: Apache-2.0
#pragma once

// Limits the rate of requests. See concurrency_limit.hpp for concurrent requests, and limits.hpp for sizes.

#include <apus/duration.hpp>
#include <apus/middleware.hpp>

#include <optional>

namespace apus {

namespace detail {

/// Receives the key of a request from the user's key function.
class key_sink {
public:
    /// `text`: receives a copy of the key; may be null.
    explicit key_sink(const void* of, std::string* text = nullptr) noexcept : of_(of), text_(text) {}
    void take(std::string_view key);
    bool counted() const noexcept { return counted_; }
    std::uint64_t hash() const noexcept { return hash_; }

private:
    const void* of_;
    std::string* text_;
    std::uint64_t hash_ = 0;
    bool counted_ = false;
};

/// An owned, type-erased key function.
struct key_function {
    void* self;
    void (*find)(const void* self, request&, key_sink&);
    void (*destroy)(void* self);
};

inline void give_key(key_sink& to, std::string_view key) { to.take(key); }
template <class T>
void give_key(key_sink& to, const std::optional<T>& key) {
    if (key) to.take(*key);
}

template <class F>
key_function own_key(F f) {
    return {new F(std::move(f)),
            [](const void* self, request& req, key_sink& to) { give_key(to, (*static_cast<const F*>(self))(req)); },
            [](void* self) { delete static_cast<F*>(self); }};
}

}  // namespace detail

/// Returns the part of an IP address that identifies a client.
/// Returns the /64 network of an IPv6 address: a site has at least a /64 (RFC 6177), in which its hosts choose
/// addresses freely. Returns the IPv4 address of an IPv4-mapped IPv6 address. Other text is returned unchanged.
std::string client_network(std::string_view address);

/// State of a bucket after a request for a token.
struct rate_limit_answer {
    bool allowed = false;      ///< Whether a token was taken.
    duration until_full = {};  ///< Time until the bucket is full if no further request takes a token. Not negative.
};

/// Buckets that several processes share.
/// On Redis: `redis::rate_limit_store` (redis/rate_limit_store.hpp). One store serves all cores: several event loops
/// call `take` concurrently, each on its own thread. `take` must not block.
class rate_limit_store {
public:
    virtual ~rate_limit_store() = default;

    /// Takes a token from the bucket of a key, atomically for all processes.
    /// `key` is a digest of the policy's name and the request's key: 43 letters, digits, '-' and '_'. A new bucket is
    /// full, with `burst` tokens, and gets one token per `interval`, which is at least 1 us. Arguments are valid until
    /// the task ends.
    virtual task<rate_limit_answer> take(std::string_view key, duration interval, std::uint64_t burst) = 0;
};

/// Result of requests while a `rate_limit_store` fails.
enum class store_failure : unsigned char {
    count_locally,  ///< Each process uses its own buckets: N processes admit up to N times the limit.
    admit,          ///< Requests pass, without `RateLimit` fields.
    refuse          ///< 503 with Retry-After.
};

/// Rate, memory, response fields and shared storage of a rate limit.
struct rate_limit_options {
    std::uint32_t requests = 60;    ///< Requests per key and `period`. At least 1.
    duration period = seconds(60);  ///< At least 1 ms.
    std::uint32_t burst = 0;        ///< Maximum requests at once. 0: equal to `requests`.
    /// Keys in memory, 16 bytes each; rounded up to a power of two. At least 8.
    std::uint32_t keys = 65'536;
    std::string_view name = "default";  ///< Name of the policy in the fields. Printable ASCII; copied.
    bool fields = true;                 ///< Whether responses have `RateLimit` and `RateLimit-Policy`.
    /// Store of buckets that processes share. Null: the buckets are in the memory of this process.
    /// Must outlive the limit. Limits with the same `name` share buckets of the store.
    rate_limit_store* store = nullptr;
    duration store_timeout = milliseconds(100);  ///< Maximum wait for `store`; then it has failed. At least 1 ms.
    /// While the store fails, one request per second tries to use it.
    store_failure on_store_failure = store_failure::count_locally;
};

/// Middleware that limits requests per key and period.
/// Requests over the limit get 429, `Retry-After` and a problem document; their handlers do not run.
///
/// Each key has a bucket of `burst` tokens, refilled at a rate of `requests` per `period`; a request takes one token
/// (generic cell rate algorithm). Every response reports the remaining quota in `RateLimit` and `RateLimit-Policy`
/// (draft-ietf-httpapi-ratelimit-headers-10).
///
/// Copies share their buckets, also on several threads, without locks. So a limit that is created outside `make_app`
/// and captured applies to all cores together. A limit that is created inside `make_app` applies per core.
///
/// With `rate_limit_options::store`, processes share the buckets. A warning is logged when the store begins to fail,
/// and an info record when the store works again.
///
/// Throws `std::invalid_argument` for invalid options.
class rate_limit {
public:
    /// Keys are the networks of client addresses: `client_network(client_of(req).address)`.
    /// Behind a proxy, place `trusted_proxies` around this; otherwise all clients share the proxy's bucket.
    explicit rate_limit(const rate_limit_options&);

    /// Keys are the results of `key(request&)`: a text, or an optional text.
    /// Requests for which `key` returns nullopt are not limited. An empty text is a key like any other, so a client
    /// cannot avoid the limit by omitting a field. Several cores may call `key` concurrently.
    template <class Key>
    rate_limit(const rate_limit_options& how, Key key) : rate_limit(how, detail::own_key(std::move(key))) {}

    rate_limit(const rate_limit&) noexcept;
    rate_limit(rate_limit&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    rate_limit& operator=(const rate_limit&) = delete;
    ~rate_limit();

    // Middleware interface, used by the app.
    pending_response operator()(request&, response& out, next_handler) const;

private:
    struct parts;
    rate_limit(const rate_limit_options&, detail::key_function);

    parts* parts_;
};

}  // namespace apus
