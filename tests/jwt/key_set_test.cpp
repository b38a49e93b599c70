// SPDX-License-Identifier: Apache-2.0
#include "jwt/jwk.hpp"
#include "jwt/key_parts.hpp"
#include "jwt/tokens.hpp"

#include <doctest/doctest.h>

using namespace apus;
using namespace apus::test;

namespace {

// RFC 7515, A.3.1; RFC 8037, A.2.
const std::string ec =
    R"("kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")";
const std::string ed = R"("kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")";
const std::string secret =
    R"("kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow")";
// RFC 7515, A.2.1.
const std::string rsa =
    R"("kty":"RSA","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ")";

std::string jwk(const std::string& material, const std::string& more = {}) {
    return '{' + material + (more.empty() ? "" : "," + more) + '}';
}

// Returns the algorithm and the id of the key, or the error.
std::string seen_key(const std::string& json) {
    const auto made = jwt::key::jwk(json);
    if (!made) return made.error();
    return std::string(crypto::facts(jwt::key_access::signature(*made).algorithm()).name) + ' ' +
           std::string(made->id());
}

std::string seen_set(const std::string& json) {
    jwt::key_set keys;
    const auto done = keys.replace_by_jwks(json);
    return done ? std::to_string(keys.size()) + " keys" : done.error().detail();
}

}  // namespace

TEST_CASE("a JWK is a key for one algorithm") {
    const std::string none = "the JWK has an unsupported algorithm",
                      kind = "the JWK's `kty` does not match its algorithm",
                      curve = "the JWK's `crv` does not match its algorithm",
                      use = "the JWK is not for verifying signatures", object = "a JWK must be a JSON object";
    const std::pair<std::string, std::string> rows[] = {
        {jwk(ec), "ES256 "},
        {jwk(ec, R"("kid":"one","use":"sig","alg":"ES256","key_ops":["sign","verify"],"unknown":{})"), "ES256 one"},
        {jwk(ed, R"("kid":"two")"), "EdDSA two"},
        {jwk(ed, R"("alg":"EdDSA")"), "EdDSA "},
        {jwk(rsa), "RS256 "},
        {jwk(rsa, R"("alg":"PS256")"), "PS256 "},
        {jwk(rsa, R"("alg":"RS512","kid":"three")"), "RS512 three"},
        {jwk(secret, R"("alg":"HS512")"), "HS512 "},
        {jwk(secret), none},
        {jwk(secret, R"("alg":"none")"), none},
        {jwk(secret, R"("alg":"RS256")"), "a key for RS256 must be a key pair, not a secret"},
        {R"({"kty":"new","alg":"RS256"})", kind},
        {jwk(rsa, R"("alg":"HS256")"), "a key for HS256 has the wrong type"},
        {jwk(rsa, R"("alg":"RSA-OAEP")"), none},
        {jwk(rsa, R"("use":"enc")"), use},
        {jwk(rsa, R"("use":1)"), use},
        {jwk(rsa, R"("key_ops":["encrypt"])"), use},
        {jwk(rsa, R"("key_ops":"verify")"), use},
        {jwk(ec, R"("alg":"ES384")"), curve},
        {jwk(ec, R"("alg":"RS256")"), curve},
        {jwk(ed, R"("alg":"ES256")"), curve},
        {R"({"kty":"EC","crv":"P-384","alg":"ES384","x":"AA","y":"AA"})",
         "a key for ES384 must have coordinates of 48 bytes"},
        {R"({"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"})", none},
        {R"({"kty":"OKP","crv":"X25519","x":"AA"})", none},
        {R"({"kty":"OKP","crv":"Ed25519","x":"AA"})", "a key for EdDSA must have 32 bytes"},
        {R"({"kty":"RSA","n":"AQAB","e":"AQAB"})", "a key for RS256 must have 2048 to 8192 bits, not 17"},
        {R"({"kty":"RSA","n":"AQAB=","e":"AQAB"})", "a key for RS256 must have 2048 to 8192 bits, not 0"},
        {R"({"kty":"RSA"})",
         "a key for RS256 must have a modulus of at most 8192 bits and an exponent of at most 64 bits"},
        {R"({"kty":"oct","alg":"HS256","k":"c2hvcnQ"})", "a key for HS256 must have at least 32 bytes, not 5"},
        {R"({"kty":"oct","alg":"HS256"})", "a key for HS256 must have at least 32 bytes, not 0"},
        {R"({"kty":"new"})", none},
        {"{}", none},
        {"", object},
        {"[]", object},
        {R"({"kty":"RSA","kty":"oct"})", object},
        {jwk(ed, R"("kid":")" + std::string(257, 'k') + '"'), "the id of a key may have at most 256 bytes"},
    };
    for (const auto& [json, outcome] : rows) {
        CAPTURE(json);
        CHECK(seen_key(json) == outcome);
    }
}

TEST_CASE("keys from JWKs verify the examples of the RFCs") {
    // RFC 7515, A.2.
    jwt::key_set keys;
    REQUIRE(keys.replace_by_jwks(R"({"keys":[)" + jwk(rsa) + "," + jwk(ec) + "," + jwk(ed) + "]}"));
    jwt::verifier_options joe{.issuer = "joe", .audience = "", .any_audience = true};
    const jwt::verifier verifier(keys, joe);
    const std::string claims =
        ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.";
    const std::string rs = "eyJhbGciOiJSUzI1NiJ9" + claims +
                           "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_"
                           "O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_"
                           "nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-"
                           "eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0"
                           "igcN_IoypGlUPQGe77Rw";
    const std::string es = "eyJhbGciOiJFUzI1NiJ9" + claims +
                           "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
    CHECK(seen(verifier.verify(rs, 1'300'819'000)) == "sub ");
    CHECK(seen(verifier.verify(es, 1'300'819'000)) == "sub ");
    CHECK(seen(verifier.verify(es, 1'300'819'440)) == "the token has expired");
}

TEST_CASE("a JWKS consists of its usable keys") {
    CHECK(seen_set(R"({"keys":[)" + jwk(rsa) + "," + jwk(ec) + "]}") == "2 keys");
    CHECK(seen_set(R"({"keys":[{"kty":"new"},1,null,)" + jwk(ec, R"("use":"enc")") + "," + jwk(ed) +
                   R"(],"more":{}})") == "1 keys");
    const std::string none = "the JWKS has no supported key",
                      object = "a JWKS must be a JSON object with an array `keys`";
    CHECK(seen_set(R"({"keys":[]})") == none);
    CHECK(seen_set(R"({"keys":[{"kty":"new"}]})") == none);
    CHECK(seen_set(R"({"keys":{}})") == object);
    CHECK(seen_set("{}") == object);
    CHECK(seen_set("<html>") == object);
    CHECK(seen_set("") == object);
    CHECK(seen_set(std::string(262'145, ' ')) == "a JWKS may have at most 262144 bytes");
    CHECK(seen_set(R"({"keys":[)" + jwk(ec, R"("kid":"a")") + "," + jwk(ec, R"("kid":"a")") + "]}") ==
          "two keys of a key set have the same algorithm and id");
}

TEST_CASE("an invalid set leaves the current one unchanged") {
    jwt::key_set keys({jwt::key::jwk(jwk(ed)).value()});
    const jwt::key_set same = keys;
    CHECK_FALSE(keys.replace_by_jwks("{}"));
    CHECK_FALSE(keys.replace({jwt::key::jwk(jwk(ec)).value(), jwt::key::jwk(jwk(ec)).value()}));
    CHECK(keys.size() == 1);
    std::vector<jwt::key> many;
    for (int i = 0; i < 65; ++i) many.push_back(jwt::key::jwk(jwk(ed, R"("kid":")" + std::to_string(i) + '"')).value());
    CHECK(keys.replace(many).error().detail() == "a key set may have at most 64 keys");
    many.pop_back();
    CHECK(keys.replace(many));
    CHECK(same.size() == 64);
}
