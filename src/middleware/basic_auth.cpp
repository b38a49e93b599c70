// SPDX-License-Identifier: Apache-2.0
#include <apus/basic_auth.hpp>

#include "base/utf8.hpp"
#include "crypto/base64.hpp"
#include "middleware/authentication.hpp"

namespace apus {

struct basic_auth::parts {
    detail::password_check check;
    std::string realm, challenge;
    bool may_be_missing;

    parts(detail::password_check c, const basic_auth_options& how)
        : check(c),
          realm(how.realm),
          challenge("Basic realm=\"" + how.realm + "\", charset=\"UTF-8\""),
          may_be_missing(how.may_be_missing) {}
    ~parts() { check.destroy(check.self); }

    task<response> run(next_handler rest, request& req, std::string user, std::string password) const;
};

namespace {

// Returns whether a text is UTF-8 without control characters, which RFC 7617, 2, forbids in user names and passwords.
bool is_plain(std::string_view text) noexcept {
    for (const char c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
    return base::is_utf8(text);
}

}  // namespace

task<response> basic_auth::parts::run(next_handler rest, request& req, std::string user, std::string password) const {
    std::optional<identity> who = co_await check.run(check.self, std::move(user), std::move(password));
    response out;
    if (!who) {
        static_cast<void>(middleware::challenge(out, 401, "the user name or the password is wrong", challenge));
        co_return out;
    }
    who->scheme = "Basic";
    req.set(*std::move(who));
    out = co_await rest(req);
    co_return out;
}

basic_auth::basic_auth(detail::password_check check, const basic_auth_options& how) : parts_(nullptr) {
    try {
        middleware::check_realm(how.realm, "basic_auth");
        parts_ = new parts(check, how);
    } catch (...) {
        check.destroy(check.self);
        throw;
    }
}

basic_auth::~basic_auth() { delete parts_; }

security_note basic_auth::security() const {
    using proof = security_note::proof;
    return {.by = proof::basic,
            .description = middleware::describe_realm(parts_->realm),
            .may_be_missing = parts_->may_be_missing,
            .one_is_enough = true};
}

pending_response basic_auth::operator()(request& req, response& out, next_handler rest) const {
    using what = middleware::presented::what;
    const parts& p = *parts_;
    if (middleware::is_known(req)) return rest.run(req, out);
    const auto [state, token] = middleware::present_credentials(req, "basic");
    if (state == what::nothing && p.may_be_missing) return rest.run(req, out);
    if (state == what::nothing) return middleware::challenge(out, 401, "send a user name and a password", p.challenge);
    const auto text = state == what::token ? crypto::decode_base64(token) : std::nullopt;
    const std::size_t colon = text ? text->find(':') : std::string::npos;
    if (colon == std::string::npos || !is_plain(*text))
        return middleware::challenge(
            out, 400,
            "malformed or duplicate Authorization header: send Basic and the base64 of name:password in UTF-8",
            p.challenge);
    return p.run(rest, req, text->substr(0, colon), text->substr(colon + 1));
}

}  // namespace apus
