// SPDX-License-Identifier: Apache-2.0
#include <apus/cookies.hpp>

#include "base/ascii.hpp"
#include "codec/fields/cookie.hpp"

#include <stdexcept>
#include <string>

namespace apus {
namespace {

std::string_view word_of(same_site site) noexcept {
    switch (site) {
        case same_site::lax: return "Lax";
        case same_site::strict: return "Strict";
        case same_site::none: break;
    }
    return "None";
}

}  // namespace

std::optional<std::string_view> find_cookie(const request& req, std::string_view name) noexcept {
    // HTTP/2 clients may send each cookie in a separate field (RFC 9113, 8.2.3).
    for (std::size_t i = 0; i < req.header_count(); ++i) {
        const field_view field = req.header_at(i);
        if (!base::same_word(field.name, "cookie")) continue;
        std::string_view rest = field.value;
        while (const auto cookie = codec::fields::next_cookie(rest))
            if (cookie->name == name) return cookie->value;
    }
    return std::nullopt;
}

std::string make_cookie(std::string_view name, std::string_view value, const cookie_options& how) {
    codec::fields::set_cookie cookie;
    cookie.name = name;
    cookie.value = value;
    cookie.path = how.path;
    cookie.domain = how.domain;
    cookie.same_site = word_of(how.site);
    if (how.max_age) cookie.max_age = how.max_age->milliseconds() / 1000;
    cookie.secure = how.secure;
    cookie.http_only = how.http_only;
    cookie.partitioned = how.partitioned;
    if (const char* fault = codec::fields::fault_in(cookie)) throw std::invalid_argument(fault);
    std::string text(codec::fields::room_for(cookie), '\0');
    text.resize(static_cast<std::size_t>(codec::fields::write(cookie, text.data()) - text.data()));
    return text;
}

std::string make_expired_cookie(std::string_view name, const cookie_options& how) {
    cookie_options now = how;
    now.max_age = duration();
    return make_cookie(name, {}, now);
}

void set_cookie(response& res, std::string_view name, std::string_view value, const cookie_options& how) {
    res.header("set-cookie", make_cookie(name, value, how));
}

void expire_cookie(response& res, std::string_view name, const cookie_options& how) {
    res.header("set-cookie", make_expired_cookie(name, how));
}

}  // namespace apus
