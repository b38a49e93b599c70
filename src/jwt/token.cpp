// SPDX-License-Identifier: Apache-2.0
#include "jwt/token.hpp"

#include "crypto/base64.hpp"
#include "jwt/members.hpp"

namespace apus::jwt {
namespace {

// RFC 7515, 4.1.9: a type without a slash stands for application/...; types are case-insensitive.
std::string media_type(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    return text.starts_with("application/") ? text.substr(12) : text;
}

const char* read_header(const members& header, token& out) {
    const member* const algorithm = find(header, "alg");
    const auto name = algorithm ? text_of(*algorithm) : std::nullopt;
    const auto known = name ? crypto::signature_algorithm_named(*name) : std::nullopt;
    if (!known) return "the token's `alg` is not supported";
    out.algorithm = *known;
    // RFC 7515, 4.1.11: extensions that the recipient must understand; none are supported.
    if (find(header, "crit")) return "the token has critical extensions, which are not supported";
    if (const member* const id = find(header, "kid")) {
        out.key_id = text_of(*id);
        if (!out.key_id) return "the token's `kid` is not a string";
    }
    if (const member* const type = find(header, "typ")) {
        const auto text = text_of(*type);
        if (!text) return "the token's `typ` is not a string";
        out.type = media_type(*text);
    }
    // RFC 7519, 5.2: a nested token.
    if (find(header, "cty")) return "the token has a `cty`: only claims are supported";
    return nullptr;
}

}  // namespace

const char* read_token(std::string_view text, token& out) {
    const std::size_t first = text.find('.'), second = first == text.npos ? first : text.find('.', first + 1);
    if (second == text.npos || text.find('.', second + 1) != text.npos)
        return "a token must have three parts, separated by dots";
    const auto header_text = crypto::decode_base64url(text.substr(0, first));
    auto payload = crypto::decode_base64url(text.substr(first + 1, second - first - 1));
    auto signature = crypto::decode_base64url(text.substr(second + 1));
    if (!header_text || !payload || !signature) return "a part of the token is invalid base64url";
    if (signature->empty()) return "the token has no signature";
    const auto header = read_members(*header_text);
    if (!header) return "the token's header must be a JSON object without duplicate members";
    out.signed_part = text.substr(0, second);
    out.payload = *std::move(payload);
    out.signature = *std::move(signature);
    return read_header(*header, out);
}

}  // namespace apus::jwt
