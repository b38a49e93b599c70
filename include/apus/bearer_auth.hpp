// SPDX-License-Identifier: Apache-2.0
#pragma once

// Authentication by bearer tokens that are JWTs (RFC 6750). What they must be, and the keys: jwt.hpp.

#include <apus/identity.hpp>
#include <apus/jwt.hpp>

namespace apus {

namespace detail {

/// A function that fetches keys, of any type, owned.
struct key_refresh {
    void* self = nullptr;
    task<> (*run)(const void* self) = nullptr;
    void (*destroy)(void* self) = nullptr;
};

template <class F>
key_refresh own_refresh(F f) {
    static_assert(
        requires(const F& g) {
            { g() } -> one_of<task<>>;
        }, "what refreshes keys is () -> task<>");
    return {new F(std::move(f)), [](const void* self) { return (*static_cast<const F*>(self))(); },
            [](void* self) { delete static_cast<F*>(self); }};
}

}  // namespace detail

/// How bearer tokens become identities.
struct bearer_options {
    /// Said in `WWW-Authenticate`. Visible ASCII without quotes and backslashes.
    std::string realm = "api";
    std::string roles_claim = "roles";   ///< A text or an array of texts.
    std::string scopes_claim = "scope";  ///< A text with spaces between, or an array of texts.
    bool may_be_missing = false;         ///< Requests without a bearer token pass, without an identity.
    /// At least so long between two refreshes of keys, of all cores together.
    duration refresh_interval = seconds(60);
};

/// Middleware that takes `Authorization: Bearer` with a JWT, and sets an `identity`. Without one,
/// or with one that is not valid, the answer is 401 with what is wrong in `WWW-Authenticate`; with a
/// field that is none, or two of them, it is 400. Tokens in queries and bodies are not looked at
/// (RFC 9700, 2.2.2). A request that has an identity already passes.
class bearer_auth {
public:
    /// Throws `std::invalid_argument` for a realm that no field may hold.
    explicit bearer_auth(jwt::verifier);
    bearer_auth(jwt::verifier, bearer_options);  ///< The same.

    /// With `refresh() -> task<>`, which fetches keys and gives them to the `jwt::key_set`. A token of
    /// a `kid` that is unknown makes one core call it, once in each interval; that request waits for
    /// it, others get 401 meanwhile. An error of it is logged, and the keys stay as they were.
    template <class F>
    bearer_auth(jwt::verifier by, bearer_options how, F refresh) : bearer_auth(std::move(by), std::move(how)) {
        refresh_with(detail::own_refresh(std::move(refresh)));
    }

    bearer_auth(bearer_auth&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    bearer_auth& operator=(bearer_auth&&) = delete;
    ~bearer_auth();

    // For the app.
    static constexpr detail::body_use body = detail::body_use::ignored;
    static constexpr const void* sets = &detail::type_key<identity>;
    detail::pending run(const detail::step* rest, request&, response& out) const;
    security_note asks() const;

private:
    struct parts;
    void refresh_with(detail::key_refresh) noexcept;

    parts* parts_;
};

}  // namespace apus
