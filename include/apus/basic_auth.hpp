// SPDX-License-Identifier: Apache-2.0
#pragma once

// Authentication by user name and password in each request (RFC 7617). To hash and verify passwords, see
// password.hpp.

#include <apus/identity.hpp>
#include <apus/middleware.hpp>

#include <optional>

namespace apus {

namespace detail {

/// An owned, type-erased function that checks a password.
struct password_check {
    void* self;
    task<std::optional<identity>> (*run)(const void* self, std::string user, std::string password);
    void (*destroy)(void* self);
};

template <class F>
password_check own_check(F f) {
    static_assert(
        requires(const F& g, std::string s) {
            { g(s, s) } -> std::same_as<task<std::optional<identity>>>;
        },
        "the function that checks a password must be (std::string user, std::string password) -> "
        "task<std::optional<identity>>");
    return {new F(std::move(f)),
            [](const void* self, std::string user, std::string password) {
                return (*static_cast<const F*>(self))(std::move(user), std::move(password));
            },
            [](void* self) { delete static_cast<F*>(self); }};
}

}  // namespace detail

/// Options of `basic_auth`.
struct basic_auth_options {
    /// Realm shown in the browser's login dialog.
    /// Visible ASCII and spaces, without quotes and backslashes.
    std::string realm = "service";
    bool may_be_missing = false;  ///< Accept requests without Basic credentials; they have no identity.
};

/// Middleware for `Authorization: Basic`: calls `check(user, password)` and sets the `identity`.
/// Missing or wrong credentials: 401. Malformed or repeated header, invalid UTF-8 or control
/// characters: 400. Requests that already have an identity pass. Use it only over TLS: each
/// request carries the password.
class basic_auth {
public:
    /// Throws `std::invalid_argument` for an invalid realm.
    template <class F>
    explicit basic_auth(F check, const basic_auth_options& how = {})
        : basic_auth(detail::own_check(std::move(check)), how) {}

    basic_auth(basic_auth&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    basic_auth& operator=(basic_auth&&) = delete;
    ~basic_auth();

    // Middleware interface, used by the app.
    using sets = identity;
    pending_response operator()(request&, response& out, next_handler) const;
    security_note security() const;

private:
    struct parts;
    basic_auth(detail::password_check, const basic_auth_options&);

    parts* parts_;
};

}  // namespace apus
