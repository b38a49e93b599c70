// SPDX-License-Identifier: Apache-2.0
#pragma once

// Authentication of programs by API keys in a header field of their requests.

#include <apus/identity.hpp>
#include <apus/middleware.hpp>

#include <optional>

namespace apus {

/// A newly generated API key.
struct new_api_key {
    std::string text;    ///< The key for its owner: "ak_0123456789abcdef_...". Show it once; do not store it.
    std::string id;      ///< Identifier for lookups: 16 hexadecimal digits. Not secret.
    std::string digest;  ///< The part to store: SHA-256, as 64 hexadecimal digits.
};

/// Generates a key with 256 random bits.
/// The key begins with `prefix`, by which scanners recognize leaked keys.
/// Throws `std::invalid_argument` unless the prefix has 1 to 16 letters and digits.
new_api_key make_api_key(std::string_view prefix = "ak");

/// A stored API key: its digest and its owner.
struct stored_api_key {
    std::string digest;  ///< `new_api_key::digest`.
    identity owner;
};

namespace detail {

/// A function that looks up a stored key, type-erased and owned.
struct api_key_lookup {
    void* self;
    task<std::optional<stored_api_key>> (*run)(const void* self, std::string id);
    void (*destroy)(void* self);
};

template <class F>
api_key_lookup own_lookup(F f) {
    static_assert(
        requires(const F& g, std::string s) {
            { g(s) } -> std::same_as<task<std::optional<stored_api_key>>>;
        }, "the function that finds a key must be (std::string id) -> task<std::optional<stored_api_key>>");
    return {new F(std::move(f)),
            [](const void* self, std::string id) { return (*static_cast<const F*>(self))(std::move(id)); },
            [](void* self) { delete static_cast<F*>(self); }};
}

}  // namespace detail

/// Options of `api_key_auth`.
struct api_key_auth_options {
    std::string header = "x-api-key";  ///< Field with the key. Keys in queries are ignored, since logs contain queries.
    bool may_be_missing = false;       ///< Accept requests without the field; they have no identity.
};

/// Middleware that authenticates requests by an API key in a header.
/// Calls `find(id)` to look up the stored key, compares digests in constant time, and sets the owner as `identity`. A
/// missing or wrong key gets 401. Requests that already have an identity pass.
class api_key_auth {
public:
    /// Throws `std::invalid_argument` if the field name is not a token.
    template <class F>
    explicit api_key_auth(F find, const api_key_auth_options& how = {})
        : api_key_auth(detail::own_lookup(std::move(find)), how) {}

    api_key_auth(api_key_auth&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    api_key_auth& operator=(api_key_auth&&) = delete;
    ~api_key_auth();

    // Middleware interface, used by the app.
    using sets = identity;
    pending_response operator()(request&, response& out, next_handler) const;
    security_note security() const;

private:
    struct parts;
    api_key_auth(detail::api_key_lookup, const api_key_auth_options&);

    parts* parts_;
};

}  // namespace apus
