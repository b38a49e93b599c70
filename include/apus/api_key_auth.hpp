// SPDX-License-Identifier: Apache-2.0
#pragma once

// Authentication of programs by keys that they send in a field of their requests.

#include <apus/identity.hpp>

#include <optional>

namespace apus {

/// A key that has just been made.
struct new_api_key {
    std::string text;    ///< For its owner, such as "ak_0123456789abcdef_...". Show it once and keep it nowhere.
    std::string id;      ///< What it is found by: 16 digits. No secret.
    std::string digest;  ///< What to keep of it: SHA-256, as 64 digits.
};

/// A key with 256 random bits, which begins with `prefix` so that people and programs that look for
/// leaked keys know what it is. Throws `std::invalid_argument` unless that is 1 to 16 letters and digits.
new_api_key make_api_key(std::string_view prefix = "ak");

/// What is kept of a key, and whose it is.
struct stored_api_key {
    std::string digest;  ///< As `new_api_key` has it.
    identity owner;
};

namespace detail {

/// A function that finds what is kept of a key, of any type, owned.
struct api_key_lookup {
    void* self;
    task<std::optional<stored_api_key>> (*run)(const void* self, std::string id);
    void (*destroy)(void* self);
};

template <class F>
api_key_lookup own_lookup(F f) {
    static_assert(
        requires(const F& g, std::string s) {
            { g(s) } -> one_of<task<std::optional<stored_api_key>>>;
        }, "what finds a key is (std::string id) -> task<std::optional<stored_api_key>>");
    return {new F(std::move(f)),
            [](const void* self, std::string id) { return (*static_cast<const F*>(self))(std::move(id)); },
            [](void* self) { delete static_cast<F*>(self); }};
}

}  // namespace detail

/// Where keys are sent.
struct api_key_options {
    std::string header = "x-api-key";  ///< The field. Keys in queries would be in logs.
    bool may_be_missing = false;       ///< Requests without the field pass, without an identity.
};

/// Middleware that takes a key of `make_api_key` from a field, asks `find(id)` what is kept of it,
/// compares digests in constant time, and sets the owner as `identity`. Anything else is 401. A
/// request that has an identity already passes.
class api_key_auth {
public:
    /// Throws `std::invalid_argument` if the field's name is no token.
    template <class F>
    explicit api_key_auth(F find, const api_key_options& how = {})
        : api_key_auth(detail::own_lookup(std::move(find)), how) {}

    api_key_auth(api_key_auth&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    api_key_auth& operator=(api_key_auth&&) = delete;
    ~api_key_auth();

    // For the app.
    static constexpr detail::body_use body = detail::body_use::ignored;
    static constexpr const void* sets = &detail::type_key<identity>;
    detail::pending run(const detail::step* rest, request&, response& out) const;
    security_note asks() const;

private:
    struct parts;
    api_key_auth(detail::api_key_lookup, const api_key_options&);

    parts* parts_;
};

}  // namespace apus
