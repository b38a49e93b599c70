// SPDX-License-Identifier: Apache-2.0
#include <apus/csrf.hpp>

#include "base/ascii.hpp"
#include "crypto/base64.hpp"
#include "crypto/hmac.hpp"
#include "crypto/random.hpp"
#include "crypto/sealed_box.hpp"
#include "http/exchange.hpp"
#include "http/origin.hpp"
#include "middleware/nonce.hpp"

#include <apus/client_info.hpp>
#include <apus/detail/parameters.hpp>
#include <apus/secret.hpp>
#include <apus/session.hpp>

#include <algorithm>
#include <stdexcept>

namespace apus {
namespace {

// Sizes in bytes. A token is the base64url form of 16 random bytes and a 32-byte digest.
constexpr std::size_t mask_size = 16, token_size = 64;

bool changes_nothing(const request& req) noexcept {
    return req.method() == method::get || req.method() == method::head || req.method() == method::options;
}

// Returns the value of a field; nullopt if the field is missing. If the field is repeated, returns a text that no
// browser sends, since it is unknown which of the values the browser has set.
std::optional<std::string_view> only(const request& req, std::string_view name) noexcept {
    std::optional<std::string_view> found;
    for (std::size_t i = 0; i < req.header_count(); ++i) {
        if (!base::same_word(req.header_at(i).name, name)) continue;
        if (found) return std::string_view("several");
        found = req.header_at(i).value;
    }
    return found;
}

// Returns the origin of a URL: "https://a.example" for "https://a.example/x?y".
std::string_view origin_of(std::string_view url) noexcept {
    const std::size_t colon = url.find("://");
    return colon == url.npos ? std::string_view() : url.substr(0, url.find_first_of("/?#", colon + 3));
}

// Returns the value of `csrf_token` in a URL-encoded form; valid tokens need no decoding.
std::string_view token_in_form(request& req) noexcept {
    const http::exchange& x = detail::exchange_of(req);
    const std::string_view type = req.header("content-type");
    if (!x.plan || x.plan->body != http::body_mode::whole) return {};
    if (!base::same_word(type.substr(0, type.find_first_of("; \t")), "application/x-www-form-urlencoded")) return {};
    constexpr std::string_view name = "csrf_token=";
    std::string_view rest = detail::whole_body(req);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('&'), rest.size());
        if (rest.starts_with(name)) return rest.substr(name.size(), end - name.size());
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

std::string signature(const std::string& secret, const std::string& session, std::string_view mask) {
    return crypto::hmac_sha256(secret, "apus csrf:" + session + std::string(mask));
}

}  // namespace

struct csrf::parts {
    csrf_options how;

    void check() const;
    bool trusts(std::string_view origin) const noexcept {
        return std::ranges::find(how.trusted_origins, origin) != how.trusted_origins.end();
    }
    result<void> check_origin(request&) const;
    bool token_passes(request&) const;
};

void csrf::parts::check() const {
    for (const auto& origin : how.trusted_origins)
        if (!http::is_origin(origin))
            throw std::invalid_argument("csrf: \"" + origin + "\" is not an origin such as https://app.example");
    for (const auto& secret : how.token_secrets) crypto::check_secret(secret, "csrf tokens");
}

result<void> csrf::parts::check_origin(request& req) const {
    const auto site = only(req, "sec-fetch-site");
    const auto origin = only(req, "origin");
    if (origin && trusts(*origin)) return {};
    if (site) {
        if (*site == "same-origin" || *site == "none") return {};
        return fail(403, "cross-origin request rejected (CSRF protection)");
    }
    if (origin) {
        if (http::is_own_origin(req, *origin)) return {};
        return fail(403, "cross-origin request rejected (CSRF protection)");
    }
    if (const auto referer = only(req, "referer")) {
        const std::string_view from = origin_of(*referer);
        if (http::is_own_origin(req, from) || trusts(from)) return {};
        return fail(403, "cross-origin request rejected (CSRF protection)");
    }
    if (how.browsers_only)
        return fail(403, "request without Sec-Fetch-Site, Origin and Referer rejected (CSRF protection)");
    return {};
}

bool csrf::parts::token_passes(request& req) const {
    auto* s = req.find<session>();
    if (!s || s->fresh()) return false;
    std::string_view token = req.header("x-csrf-token");
    if (token.empty()) token = token_in_form(req);
    if (token.size() != token_size) return false;
    const auto bytes = crypto::decode_base64url(token);
    if (!bytes) return false;
    const std::string_view mask = std::string_view(*bytes).substr(0, mask_size);
    return std::ranges::any_of(how.token_secrets, [&](const std::string& secret) {
        return constant_time_equal(std::string_view(*bytes).substr(mask_size), signature(secret, s->id(), mask));
    });
}

csrf::csrf() : csrf(csrf_options()) {}
csrf::csrf(csrf_options how) : parts_(detail::own_parts(new parts{std::move(how)})) { parts_->check(); }

security_note csrf::security() const {
    security_note note{.forbids = true, .only_changes = true};
    if (!parts_->how.token_secrets.empty()) note.takes_field = "x-csrf-token";
    return note;
}

result<void> csrf::operator()(request& req) const {
    const parts& p = *parts_;
    if (!p.how.token_secrets.empty()) req.set(reference{&p});
    const bool safe = changes_nothing(req);
    // A WebSocket opens with a GET request, which is not safe here: any web page can make the browser send this request
    // to any host, with the cookies of that host.
    if (safe && req.header("upgrade").empty()) return {};
    if (auto passes = p.check_origin(req); !passes) return passes;
    if (!safe && !p.how.token_secrets.empty() && !p.token_passes(req))
        return fail(403, "CSRF token missing or invalid for this session: load the page again");
    return {};
}

std::string csrf_token(request& req) {
    const auto* by = req.find<csrf::reference>();
    auto* s = req.find<session>();
    if (!by) throw std::logic_error("csrf_token: no csrf middleware with token_secrets around this route");
    if (!s) throw std::logic_error("csrf_token: no sessions middleware around this route");
    req.set(middleware::token_in_answer());
    const std::string mask = crypto::random_bytes(mask_size);
    return crypto::base64url(mask + signature(by->of->how.token_secrets.front(), s->id(), mask));
}

}  // namespace apus
