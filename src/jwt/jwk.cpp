// SPDX-License-Identifier: Apache-2.0
#include "jwt/jwk.hpp"

#include "crypto/base64.hpp"
#include "jwt/key_parts.hpp"

namespace apus::jwt {
namespace {

using crypto::signature_algorithm;
using crypto::signature_key;

constexpr std::size_t longest_set = 262'144;

std::string text(const members& of, std::string_view name) {
    const member* found = find(of, name);
    return found ? text_of(*found).value_or(std::string()) : std::string();
}

// Returns the decoded bytes of a member. Returns an empty text, which every algorithm rejects, if the member is missing
// or malformed.
std::string bytes(const members& of, std::string_view name) {
    return crypto::decode_base64url(text(of, name)).value_or(std::string());
}

// Returns the algorithm of `alg`; if `alg` is missing, the usual algorithm for the key's type.
std::optional<signature_algorithm> algorithm_of(const members& jwk, std::string_view kind) {
    if (find(jwk, "alg")) return crypto::signature_algorithm_named(text(jwk, "alg"));
    const std::string curve = text(jwk, "crv");
    if (kind == "RSA") return signature_algorithm::rs256;
    if (kind == "EC" && curve == "P-256") return signature_algorithm::es256;
    if (kind == "EC" && curve == "P-384") return signature_algorithm::es384;
    if (kind == "OKP" && curve == "Ed25519") return signature_algorithm::eddsa;
    return std::nullopt;
}

std::string_view curve_of(signature_algorithm algorithm) {
    switch (algorithm) {
        case signature_algorithm::es256: return "P-256";
        case signature_algorithm::es384: return "P-384";
        case signature_algorithm::eddsa: return "Ed25519";
        default: return {};
    }
}

result<signature_key> material(const members& jwk, std::string_view kind, signature_algorithm algorithm) {
    if (text(jwk, "crv") != curve_of(algorithm)) return fail(500, "the JWK's `crv` does not match its algorithm");
    if (kind == "RSA") return signature_key::rsa(algorithm, bytes(jwk, "n"), bytes(jwk, "e"));
    if (kind == "EC") return signature_key::elliptic(algorithm, bytes(jwk, "x"), bytes(jwk, "y"));
    if (kind == "OKP" && algorithm == signature_algorithm::eddsa) return signature_key::edwards(bytes(jwk, "x"));
    if (kind == "oct") return signature_key::secret(algorithm, bytes(jwk, "k"));
    return fail(500, "the JWK's `kty` does not match its algorithm");
}

bool is_for_signatures(const members& jwk) {
    const member* const operations = find(jwk, "key_ops");
    if (find(jwk, "use") && text(jwk, "use") != "sig") return false;
    if (!operations) return true;
    if (operations->type != kind::array) return false;
    for (const member& operation : elements(operations->value))
        if (text_of(operation) == "verify") return true;
    return false;
}

}  // namespace

result<key> read_jwk(const members& jwk) {
    const std::string kind = text(jwk, "kty");
    const auto algorithm = algorithm_of(jwk, kind);
    if (!is_for_signatures(jwk)) return fail(500, "the JWK is not for verifying signatures");
    if (!algorithm) return fail(500, "the JWK has an unsupported algorithm");
    return key_access::named(material(jwk, kind, *algorithm), text(jwk, "kid"));
}

result<std::vector<key>> read_jwks(std::string_view json) {
    if (json.size() > longest_set) return fail(500, "a JWKS may have at most 262144 bytes");
    const auto set = read_members(json, {.members = 4'096});
    const member* const listed = set ? find(*set, "keys") : nullptr;
    if (!listed || listed->type != kind::array) return fail(500, "a JWKS must be a JSON object with an array `keys`");
    std::vector<key> keys;
    for (const member& one : elements(listed->value)) {
        if (one.type != kind::object) continue;
        const auto jwk = read_members(one.value);
        if (!jwk) continue;
        auto made = read_jwk(*jwk);
        if (made) keys.push_back(*std::move(made));
    }
    if (keys.empty()) return fail(500, "the JWKS has no supported key");
    return keys;
}

std::expected<key, std::string> key::jwk(std::string_view json) {
    const auto read = json.size() > longest_set ? std::nullopt : read_members(json);
    if (!read) return std::unexpected("a JWK must be a JSON object");
    return key_access::loaded(read_jwk(*read));
}

}  // namespace apus::jwt
