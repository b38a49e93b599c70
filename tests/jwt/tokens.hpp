// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crypto/base64.hpp"
#include "crypto/signature.hpp"
#include "support/file_text.hpp"

#include <apus/jwt.hpp>

#include <string>
#include <string_view>

namespace apus::test {

constexpr std::int64_t noon = 1'800'000'000;  // the current time in these tests, in seconds since 1970

inline std::string pem(const std::string& name) { return support::file_text("tests/crypto/keys/" + name + ".pem"); }
inline std::string encoded(std::string_view text) { return crypto::base64url(text); }
inline const std::string shared_secret(64, 's');

/// Signs any input, as an attacker or another implementation might.
struct signer {
    crypto::signature_key by;

    std::string operator()(std::string_view header, std::string_view payload) const {
        return raw(encoded(header), encoded(payload));
    }
    std::string raw(const std::string& header, const std::string& payload) const {
        const std::string text = header + '.' + payload;
        return text + '.' + encoded(by.sign(text).value());
    }
};

inline signer signing(crypto::signature_algorithm of, const std::string& file) {
    return {crypto::signature_key::pem(of, pem(file)).value()};
}
inline signer signing(crypto::signature_algorithm of, std::string_view secret, int) {
    return {crypto::signature_key::secret(of, secret).value()};
}

/// Returns the keys of the service: one of each type, with ids; for key pairs the public key.
inline jwt::key_set keys_of_service() {
    using enum jwt::algorithm;
    return jwt::key_set({
        jwt::key::pem(es256, pem("p256_public"), "ec").value(),
        jwt::key::pem(es384, pem("p384_public"), "ec384").value(),
        jwt::key::pem(rs256, pem("rsa_2048_public"), "rsa").value(),
        jwt::key::pem(ps256, pem("rsa_2048_public"), "pss").value(),
        jwt::key::pem(eddsa, pem("ed25519_public"), "ed").value(),
        jwt::key::secret(hs256, shared_secret, "hs").value(),
    });
}

inline jwt::verifier_options expected() { return {.issuer = "https://id.example", .audience = "api"}; }

/// Returns the detail of the error, or "sub ..." for a valid token.
inline std::string seen(const result<jwt::claims>& r) {
    return r ? "sub " + std::string(r->subject()) : r.error().detail();
}

}  // namespace apus::test
