// SPDX-License-Identifier: Apache-2.0
#pragma once

// Authentication by user name and password in each request (RFC 7617). Passwords are kept and
// compared by password.hpp.

#include <apus/identity.hpp>

#include <optional>

namespace apus {

namespace detail {

/// A function that checks a password, of any type, owned.
struct password_check {
    void* self;
    task<std::optional<identity>> (*run)(const void* self, std::string user, std::string password);
    void (*destroy)(void* self);
};

template <class F>
password_check own_check(F f) {
    static_assert(
        requires(const F& g, std::string s) {
            { g(s, s) } -> one_of<task<std::optional<identity>>>;
        }, "what checks a password is (std::string user, std::string password) -> task<std::optional<identity>>");
    return {new F(std::move(f)),
            [](const void* self, std::string user, std::string password) {
                return (*static_cast<const F*>(self))(std::move(user), std::move(password));
            },
            [](void* self) { delete static_cast<F*>(self); }};
}

}  // namespace detail

/// How names and passwords are asked for.
struct basic_options {
    /// What a browser shows who asks. Visible ASCII without quotes and backslashes, and spaces.
    std::string realm = "service";
    bool may_be_missing = false;  ///< Requests without Basic credentials pass, without an identity.
};

/// Middleware that takes `Authorization: Basic`, asks `check(user, password)` who that is, and sets
/// the `identity`. Nobody, and a request without credentials, is 401; a field that is none, two of
/// them, or texts that are no UTF-8 or hold control characters are 400. A request that has an
/// identity already passes. Only over TLS: each request carries the password.
class basic_auth {
public:
    /// Throws `std::invalid_argument` for a realm that no field may hold.
    template <class F>
    explicit basic_auth(F check, const basic_options& how = {})
        : basic_auth(detail::own_check(std::move(check)), how) {}

    basic_auth(basic_auth&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    basic_auth& operator=(basic_auth&&) = delete;
    ~basic_auth();

    // For the app.
    static constexpr detail::body_use body = detail::body_use::ignored;
    static constexpr const void* sets = &detail::type_key<identity>;
    detail::pending run(const detail::step* rest, request&, response& out) const;
    security_note asks() const;

private:
    struct parts;
    basic_auth(detail::password_check, const basic_options&);

    parts* parts_;
};

}  // namespace apus
