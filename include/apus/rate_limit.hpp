// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bounds how often a client may ask. How many requests run at once is bounded by
// concurrency_limit.hpp, how much one may send by limits.hpp.

#include <apus/detail/chain.hpp>
#include <apus/detail/parameters.hpp>
#include <apus/duration.hpp>

#include <optional>

namespace apus {

namespace detail {

/// Takes the key of a request, as the function that the user gave finds it.
class key_sink {
public:
    explicit key_sink(const void* of) noexcept : of_(of) {}
    void take(std::string_view key) noexcept;
    bool counted() const noexcept { return counted_; }
    std::uint64_t hash() const noexcept { return hash_; }

private:
    const void* of_;
    std::uint64_t hash_ = 0;
    bool counted_ = false;
};

/// A function for keys, of any type, owned.
struct key_function {
    void* self;
    void (*find)(const void* self, request&, key_sink&);
    void (*destroy)(void* self);
};

inline void give_key(key_sink& to, std::string_view key) noexcept { to.take(key); }
template <class T>
void give_key(key_sink& to, const std::optional<T>& key) noexcept {
    if (key) to.take(*key);
}

template <class F>
key_function own_key(F f) {
    return {new F(std::move(f)),
            [](const void* self, request& req, key_sink& to) { give_key(to, (*static_cast<const F*>(self))(req)); },
            [](void* self) { delete static_cast<F*>(self); }};
}

}  // namespace detail

/// The part of an address that one client can be told from others by: the address itself of IPv4,
/// the /64 network of IPv6 (RFC 6177: a site has at least that, so its hosts change the rest as they
/// like). Other text is given back as it is.
std::string client_network(std::string_view address);

/// Middleware that lets each key have so many requests in a period, and answers those over it with
/// 429, `Retry-After` and a problem document; their handlers do not run.
///
/// Each key has a bucket of `burst` tokens that fills at the rate of `requests` for each `period`;
/// a request takes one (the generic cell rate algorithm). Every answer says what is left, by
/// `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10).
///
/// Copies share their buckets, from any thread, without locks. So a limit that is made outside
/// `make_app` and captured holds for all cores together; one that is made inside holds for each core.
///
/// Throws `std::invalid_argument` for options that make no sense.
class rate_limit {
public:
    /// How much, and how it is told.
    struct options {
        std::uint32_t requests = 60;    ///< Of one key in each `period`. At least 1.
        duration period = seconds(60);  ///< At least 1 ms.
        std::uint32_t burst = 0;        ///< Requests at once after a pause. 0: as many as `requests`.
        /// Remembered at a time, in 16 bytes each; rounded up to a power of two. At least 8.
        std::uint32_t keys = 65'536;
        std::string_view name = "default";  ///< Of the policy, in the fields. Printable ASCII; copied.
        bool fields = true;                 ///< Whether answers carry `RateLimit` and `RateLimit-Policy`.
    };

    /// Keys are the networks of the clients' addresses: `client_network(client_of(req).address)`. So
    /// behind a proxy `trusted_proxies` belongs before this, or all clients share the proxy's bucket.
    explicit rate_limit(const options&);

    /// Keys are what `key(request&)` gives: text, or an optional text that is empty for requests
    /// that are not counted. An empty text is a key like others, which all who have it share: so a
    /// client does not escape by leaving a field out. `key` may be called by several cores at once.
    template <class Key>
    rate_limit(const options& how, Key key) : rate_limit(how, detail::own_key(std::move(key))) {}

    rate_limit(const rate_limit&) noexcept;
    rate_limit(rate_limit&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    rate_limit& operator=(const rate_limit&) = delete;
    ~rate_limit();

    // For the app.
    static constexpr detail::body_use body = detail::body_use::ignored;
    detail::pending run(const detail::step* rest, request&, response& out) const;

private:
    struct parts;
    rate_limit(const options&, detail::key_function);

    parts* parts_;
};

}  // namespace apus
