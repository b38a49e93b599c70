// SPDX-License-Identifier: Apache-2.0
#include "base/json_string.hpp"
#include "crypto/base64.hpp"
#include "crypto/random.hpp"
#include "jwt/key_parts.hpp"
#include "jwt/members.hpp"
#include "runtime/loop.hpp"

namespace apus::jwt {
namespace {

using base::append_json_string;

void append_member(std::string& out, std::string_view name, std::string_view text) {
    append_json_string(out, name);
    out += ':';
    append_json_string(out, text);
    out += ',';
}

void append_scopes(std::string& out, const std::vector<std::string>& scopes) {
    if (scopes.empty()) return;
    std::string joined;
    for (const std::string& scope : scopes) (joined += scope) += ' ';
    joined.pop_back();
    append_member(out, "scope", joined);
}

void append_roles(std::string& out, const std::vector<std::string>& roles) {
    if (roles.empty()) return;
    out += "\"roles\":[";
    for (const std::string& role : roles) append_json_string(out, role), out += ',';
    out.back() = ']';
    out += ',';
}

// Whether the characters are valid in a scope (RFC 6749, 3.3). A space separates scopes.
bool is_scope(std::string_view text) {
    for (const char c : text)
        if (c <= ' ' || c > '~' || c == '"' || c == '\\') return false;
    return !text.empty();
}

const char* mistake(const contents& what) {
    static constexpr std::string_view own[] = {"iss", "sub", "aud", "iat", "exp", "jti", "scope", "roles"};
    if (what.issuer.empty() || what.audience.empty()) return "a token to sign must have an issuer and an audience";
    if (what.lifetime < seconds(1)) return "a token to sign must be valid for at least 1 second";
    for (const std::string& scope : what.scopes)
        if (!is_scope(scope)) return "a scope must be visible ASCII without quotes and backslashes";
    if (what.more.empty()) return nullptr;
    const auto more = read_members(what.more);
    if (!more) return "the additional claims of a token must be a JSON object without duplicate members";
    for (const std::string_view name : own)
        if (find(*more, name))
            return "the additional claims of a token contain a registered claim: set it by its member";
    return nullptr;
}

// Returns the text between the braces.
std::string_view inside(std::string_view object) {
    const std::size_t open = object.find('{'), close = object.rfind('}');
    return object.substr(open + 1, close - open - 1);
}

std::string payload(const contents& what, std::int64_t now) {
    std::string out = "{";
    append_member(out, "iss", what.issuer);
    if (!what.subject.empty()) append_member(out, "sub", what.subject);
    append_member(out, "aud", what.audience);
    append_member(out, "jti", crypto::base64url(crypto::random_bytes(16)));
    append_scopes(out, what.scopes);
    append_roles(out, what.roles);
    if (!what.more.empty() && !read_members(what.more)->empty()) (out += inside(what.more)) += ',';
    out += "\"iat\":" + std::to_string(now) +
           ",\"exp\":" + std::to_string(now + what.lifetime.nanoseconds() / 1'000'000'000) + '}';
    return out;
}

}  // namespace

result<std::string> sign(const key& by, const contents& what) { return sign(by, what, runtime::unix_seconds()); }

result<std::string> sign(const key& by, const contents& what, std::int64_t now) {
    if (const char* why = mistake(what)) return fail(500, why);
    const crypto::signature_key& signature = key_access::signature(by);
    std::string header = "{\"typ\":\"JWT\",";
    if (!by.id().empty()) append_member(header, "kid", by.id());
    append_member(header, "alg", crypto::facts(signature.algorithm()).name);
    header.back() = '}';
    std::string token = crypto::base64url(header) + '.' + crypto::base64url(payload(what, now));
    const auto made = signature.sign(token);
    if (!made) return std::unexpected(made.error());
    return token + '.' + crypto::base64url(*made);
}

}  // namespace apus::jwt
