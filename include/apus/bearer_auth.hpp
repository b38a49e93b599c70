// SPDX-License-Identifier: Apache-2.0
#pragma once

// Authentication by bearer tokens that are JWTs (RFC 6750). Keys and expected claims: jwt.hpp.

#include <apus/identity.hpp>
#include <apus/jwt.hpp>
#include <apus/middleware.hpp>

namespace apus {

namespace detail {

/// An owned, type-erased function that fetches keys.
struct key_refresh {
    void* self = nullptr;
    task<> (*run)(const void* self) = nullptr;
    void (*destroy)(void* self) = nullptr;
};

template <class F>
key_refresh own_refresh(F f) {
    static_assert(
        requires(const F& g) {
            { g() } -> std::same_as<task<>>;
        }, "the function that refreshes keys must be () -> task<>");
    return {new F(std::move(f)), [](const void* self) { return (*static_cast<const F*>(self))(); },
            [](void* self) { delete static_cast<F*>(self); }};
}

}  // namespace detail

/// Options of `bearer_auth`.
struct bearer_auth_options {
    /// Realm in `WWW-Authenticate`. Visible ASCII without quotes and backslashes.
    std::string realm = "api";
    std::string roles_claim = "roles";   ///< Claim with the roles: a string or an array of strings.
    std::string scopes_claim = "scope";  ///< Claim with the scopes: a space-separated string, or an array.
    bool may_be_missing = false;         ///< Accept requests without a bearer token; they have no identity.
    /// Minimum time between two refreshes of the keys, for all cores together.
    duration refresh_interval = seconds(60);
};

/// Middleware for `Authorization: Bearer` with a JWT: verifies it and sets an `identity`.
/// Missing or invalid token: 401, with the reason in `WWW-Authenticate`. Malformed or repeated header: 400. Tokens in
/// queries and bodies are ignored (RFC 9700, 2.2.2). Requests that already have an identity pass.
class bearer_auth {
public:
    /// Throws `std::invalid_argument` for an invalid realm.
    explicit bearer_auth(jwt::verifier);
    bearer_auth(jwt::verifier, bearer_auth_options);  ///< Throws like the constructor above.

    /// Takes `refresh() -> task<>`, which fetches keys and passes them to the `jwt::key_set`.
    /// For a token with an unknown `kid`, one core calls `refresh`, at most once per interval. The request with this
    /// token waits for the new keys; meanwhile, other requests with an unknown `kid` get 401. Errors are logged, and
    /// the old keys are kept.
    template <class F>
    bearer_auth(jwt::verifier by, bearer_auth_options how, F refresh) : bearer_auth(std::move(by), std::move(how)) {
        refresh_with(detail::own_refresh(std::move(refresh)));
    }

    bearer_auth(bearer_auth&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    bearer_auth& operator=(bearer_auth&&) = delete;
    ~bearer_auth();

    // Middleware interface, used by the app.
    using sets = identity;
    pending_response operator()(request&, response& out, next_handler) const;
    security_note security() const;

private:
    struct parts;
    void refresh_with(detail::key_refresh) noexcept;

    parts* parts_;
};

}  // namespace apus
