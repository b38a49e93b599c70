// SPDX-License-Identifier: Apache-2.0
#include "jwt/claims_access.hpp"

#include "jwt/members.hpp"

#include <algorithm>
#include <limits>

namespace apus::jwt {
namespace {

// Reads a registered claim, if present. Returns null, or `otherwise` if the claim has the wrong type.
const char* read_time(const members& of, std::string_view name, const char* otherwise,
                      std::optional<std::int64_t>& out) {
    const member* const found = find(of, name);
    if (!found) return nullptr;
    out = seconds_of(*found);
    return out ? nullptr : otherwise;
}

const char* read_text(const members& of, std::string_view name, const char* otherwise, std::string& out) {
    const member* const found = find(of, name);
    if (!found) return nullptr;
    auto text = text_of(*found);
    if (!text) return otherwise;
    out = *std::move(text);
    return nullptr;
}

// Returns an empty optional if the claim is neither a string nor an array of strings (RFC 7519, 4.1.3).
std::optional<std::vector<std::string>> texts_of(const member& m) {
    std::vector<std::string> out;
    if (auto one = text_of(m)) return out.push_back(*std::move(one)), out;
    if (m.type != kind::array) return std::nullopt;
    for (const member& element : elements(m.value)) {
        auto text = text_of(element);
        if (!text) return std::nullopt;
        out.push_back(*std::move(text));
    }
    return out;
}

const char* check_audience(const members& of, const verifier_options& what) {
    const member* const found = find(of, "aud");
    if (!found) return what.audience.empty() ? nullptr : "the token has no `aud`";
    const auto listed = texts_of(*found);
    if (!listed) return "the token's `aud` must be a string or an array of strings";
    if (what.audience.empty() || std::find(listed->begin(), listed->end(), what.audience) != listed->end())
        return nullptr;
    return "the token is for another audience";
}

struct times {
    std::optional<std::int64_t> expires;
    std::optional<std::int64_t> begins;
    std::optional<std::int64_t> issued;
};

const char* read_times(const members& of, times& out) {
    if (const char* why = read_time(of, "exp", "the token's `exp` is not a valid time", out.expires)) return why;
    if (const char* why = read_time(of, "nbf", "the token's `nbf` is not a valid time", out.begins)) return why;
    return read_time(of, "iat", "the token's `iat` is not a valid time", out.issued);
}

// Times are below 2^53 and the other values below 10^10 seconds, so sums do not overflow.
const char* check_times(const times& t, const verifier_options& what, std::int64_t now, std::int64_t& until) {
    const std::int64_t skew = what.skew.nanoseconds() / 1'000'000'000,
                       longest = what.longest_age.nanoseconds() / 1'000'000'000;
    until = std::numeric_limits<std::int64_t>::max();
    if (t.expires) until = *t.expires + skew;
    else if (!what.may_last_forever) return "the token has no `exp`";
    if (now >= until) return "the token has expired";
    if (t.begins && *t.begins > now + skew) return "the token is not valid yet";
    if (t.issued && *t.issued > now + skew) return "the token's `iat` is in the future";
    if (what.longest_age <= duration()) return nullptr;
    if (!t.issued) return "the token has no `iat`";
    until = std::min(until, *t.issued + longest + skew);
    return now >= until ? "the token is too old" : nullptr;
}

}  // namespace

const char* claims_access::read(std::string_view payload, const verifier_options& what, std::int64_t now,
                                believed& out) {
    const auto of = read_members(payload);
    if (!of) return "the token's claims must be a JSON object without duplicate members";
    claims& said = out.said;
    times t;
    std::string id;
    if (const char* why = read_text(*of, "iss", "the token's `iss` is not a string", said.issuer_)) return why;
    if (const char* why = read_text(*of, "sub", "the token's `sub` is not a string", said.subject_)) return why;
    if (const char* why = read_text(*of, "jti", "the token's `jti` is not a string", id)) return why;
    if (said.issuer_ != what.issuer) return "the token is from another issuer";
    if (const char* why = check_audience(*of, what)) return why;
    if (const char* why = read_times(*of, t)) return why;
    said.expires_ = t.expires.value_or(0);
    said.json_ = payload;
    return check_times(t, what, now, out.until);
}

std::string claims::text(std::string_view name) const {
    const auto of = read_members(json_);
    const member* const found = of ? find(*of, name) : nullptr;
    return found ? text_of(*found).value_or(std::string()) : std::string();
}

std::optional<std::int64_t> claims::number(std::string_view name) const {
    const auto of = read_members(json_);
    const member* const found = of ? find(*of, name) : nullptr;
    return found ? seconds_of(*found) : std::nullopt;
}

std::vector<std::string> claims::texts(std::string_view name) const {
    const auto of = read_members(json_);
    const member* const found = of ? find(*of, name) : nullptr;
    return found ? texts_of(*found).value_or(std::vector<std::string>()) : std::vector<std::string>();
}

}  // namespace apus::jwt
