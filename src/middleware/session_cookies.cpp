// SPDX-License-Identifier: Apache-2.0
#include "middleware/session_cookies.hpp"

#include "base/ascii.hpp"
#include "base/sized_text.hpp"
#include "crypto/base64.hpp"
#include "crypto/hmac.hpp"
#include "http/list_fields.hpp"
#include "runtime/loop.hpp"

#include <algorithm>
#include <stdexcept>

namespace apus::middleware {
namespace {

constexpr std::size_t id_size = 22;            // 16 bytes in base64url
constexpr unsigned value_size_bytes = 2;       // bytes of the size before each name and value
constexpr std::size_t store_room = 16 * 1024;  // in bytes; the size of each text must fit into two bytes
// Maximum size of name and value in bytes. Browsers accept 4096 bytes; some browsers also count the attributes.
constexpr std::size_t max_cookie = 4000;
constexpr std::size_t frame = id_size + 8 + 8;  // the id and the two times, which precede the values

bool is_id(std::string_view text) noexcept {
    return text.size() == id_size && std::ranges::all_of(text, [](char c) {
               return base::is_letter(c) || base::is_digit(c) || c == '-' || c == '_';
           });
}

}  // namespace

session_cookies::session_cookies(sessions_options how, session_store* store, const std::vector<std::string>* secrets)
    : how_(std::move(how)), store_(store), room_(store_room) {
    if (how_.idle < seconds(10) || how_.absolute < seconds(10))
        throw std::invalid_argument("sessions: idle and absolute must be at least 10 seconds");
    if (how_.secure) how_.name.insert(0, "__Host-");
    cookie_.secure = how_.secure;
    cookie_.site = how_.site;
    response tried;
    set_cookie(tried, how_.name, "x", cookie_);  // throws if the name is invalid
    if (!secrets) return;
    box_.emplace(*secrets, "sessions");
    if (how_.name.size() > 256)
        throw std::invalid_argument("sessions: the name of the cookie may have at most 256 bytes");
    room_ = (max_cookie - how_.name.size()) / 4 * 3 - crypto::sealed_box::overhead - frame;
}

std::int64_t session_cookies::now() const { return how_.now ? how_.now() : runtime::unix_seconds(); }

std::string_view session_cookies::id_in(const request& req) const noexcept {
    const std::string_view value = find_cookie(req, how_.name).value_or(std::string_view());
    return is_id(value) ? value : std::string_view();
}

std::string session_cookies::key_of(std::string_view id) {
    return crypto::base64url(crypto::hmac_sha256("apus session", id));
}

session session_cookies::from_cookie(const request& req) const {
    session s = nothing();
    const auto value = find_cookie(req, how_.name);
    const auto sealed = value ? crypto::decode_base64url(*value) : std::nullopt;
    const auto bytes = sealed ? box_->open(*sealed, how_.name) : std::nullopt;
    return bytes ? from_bytes(*bytes, {}) : std::move(s);
}

session session_cookies::from_bytes(std::string_view bytes, std::string_view id) const {
    session s = nothing();
    if (!decode(bytes, s) || expired(s) || (!id.empty() && s.id_ != id)) return nothing();
    s.old_id_ = s.id_;
    return s;
}

std::string session_cookies::encoded(const session& s) const {
    std::string out;
    out.reserve(frame + s.size());
    out += s.id_;
    base::put_number(out, static_cast<std::uint64_t>(s.began_), 8);
    base::put_number(out, static_cast<std::uint64_t>(s.seen_), 8);
    for (const auto& v : s.values_)
        base::put_text(out, v.name, value_size_bytes), base::put_text(out, v.text, value_size_bytes);
    return out;
}

bool session_cookies::decode(std::string_view bytes, session& s) const {
    if (bytes.size() < frame || !is_id(bytes.substr(0, id_size))) return false;
    s.id_ = bytes.substr(0, id_size);
    bytes.remove_prefix(id_size);
    s.began_ = static_cast<std::int64_t>(base::take_number(bytes, 8));
    s.seen_ = static_cast<std::int64_t>(base::take_number(bytes, 8));
    while (!bytes.empty()) {
        const auto name = base::take_text(bytes, value_size_bytes);
        const auto text = name ? base::take_text(bytes, value_size_bytes) : std::nullopt;
        if (!text) return false;
        s.values_.push_back({std::string(*name), std::string(*text)});
    }
    return true;
}

bool session_cookies::expired(const session& s) const {
    const std::int64_t t = now();
    return t - s.began_ >= how_.absolute.milliseconds() / 1000 || t - s.seen_ >= how_.idle.milliseconds() / 1000;
}

void session_cookies::put_cookie(response& res, const session& s, std::string_view value) const {
    cookie_options cookie = cookie_;
    if (how_.persistent) {
        const auto left = seconds(s.began_ - s.seen_ + how_.absolute.milliseconds() / 1000);
        cookie.max_age = how_.idle < left ? how_.idle : left;
    }
    set_cookie(res, how_.name, value, cookie);
    if (res.header("cache-control").empty()) res.header("cache-control", "no-store");
}

session_cookies::verdict session_cookies::commit(session& s, response& res) const {
    verdict todo;
    const std::int64_t t = now();
    const bool came = !s.old_id_.empty();
    if (came || s.changed_) http::vary(res, "Cookie");
    if (came && s.id_ != s.old_id_) todo.remove = s.old_id_;
    if (s.id_.empty() && !s.changed_) {
        if (!came) return todo;
        expire_cookie(res, how_.name, cookie_);  // the session was destroyed
        if (res.header("cache-control").empty()) res.header("cache-control", "no-store");
        return todo;
    }
    const bool stale = came && t - s.seen_ >= how_.idle.milliseconds() / 10'000;
    if (!s.changed_ && !stale) return todo;
    todo.id = s.id();
    if (!s.began_) s.began_ = t;
    s.seen_ = t;
    todo.save = encoded(s);
    if (box_) put_cookie(res, s, crypto::base64url(box_->seal(todo.save, how_.name)));
    else if (s.id_ != s.old_id_ || how_.persistent) put_cookie(res, s, s.id_);
    return todo;
}

}  // namespace apus::middleware
