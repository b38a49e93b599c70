// SPDX-License-Identifier: Apache-2.0
#include "crypto/signature.hpp"

#include "crypto/base64.hpp"
#include "support/file_text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace apus::crypto;
using enum signature_algorithm;

namespace {

std::string pem(const std::string& name) { return apus::support::file_text("tests/crypto/keys/" + name + ".pem"); }
std::string raw(std::string_view text) { return decode_base64url(text).value(); }

const std::string long_secret(64, 'k');

struct pair_of_keys {
    signature_key own;
    signature_key published;
};

pair_of_keys keys_for(signature_algorithm of) {
    switch (facts(of).family) {
        case key_family::secret:
            return {signature_key::secret(of, long_secret).value(), signature_key::secret(of, long_secret).value()};
        case key_family::rsa:
            return {signature_key::pem(of, pem("rsa_2048")).value(),
                    signature_key::pem(of, pem("rsa_2048_public")).value()};
        case key_family::elliptic: {
            const std::string name = of == es256 ? "p256" : "p384";
            return {signature_key::pem(of, pem(name)).value(), signature_key::pem(of, pem(name + "_public")).value()};
        }
        case key_family::edwards: break;
    }
    return {signature_key::pem(of, pem("ed25519")).value(), signature_key::pem(of, pem("ed25519_public")).value()};
}

constexpr signature_algorithm every[] = {hs256, hs384, hs512, rs256, rs384, rs512, ps256, es256, es384, eddsa};

// Returns "makes a key", or the error.
std::string seen(const apus::result<signature_key>& made) { return made ? "makes a key" : made.error().detail(); }

}  // namespace

TEST_CASE("signatures verify with the key and its public half, and no modified one does") {
    for (const signature_algorithm of : every) {
        CAPTURE(facts(of).name);
        const auto [own, published] = keys_for(of);
        const std::string signature = own.sign("to whom it may concern").value();
        CHECK(own.verifies("to whom it may concern", signature));
        CHECK(published.verifies("to whom it may concern", signature));
        CHECK_FALSE(published.verifies("to whom it may concerN", signature));
        CHECK_FALSE(published.verifies("", signature));
        for (std::size_t at = 0; at < signature.size(); at += 7) {
            std::string changed = signature;
            changed[at] = static_cast<char>(changed[at] ^ 1);
            CHECK_FALSE(published.verifies("to whom it may concern", changed));
        }
    }
}

TEST_CASE("a signature of the wrong size is invalid") {
    for (const signature_algorithm of : every) {
        CAPTURE(facts(of).name);
        const auto [own, published] = keys_for(of);
        const std::string signature = own.sign("text").value();
        for (const std::string& other :
             {std::string(), signature.substr(1), signature.substr(0, signature.size() - 1), signature + '\0',
              '\0' + signature, signature + signature, std::string(signature.size(), '\0'),
              std::string(signature.size(), '\xff'), std::string(100'000, 'x')})
            CHECK_FALSE(published.verifies("text", other));
    }
}

TEST_CASE("signatures of different algorithms are not interchangeable") {
    const auto pss = keys_for(ps256), rsa = keys_for(rs256), longer = keys_for(rs512);
    const std::string by_pss = pss.own.sign("text").value(), by_rsa = rsa.own.sign("text").value();
    CHECK_FALSE(rsa.published.verifies("text", by_pss));
    CHECK_FALSE(pss.published.verifies("text", by_rsa));
    CHECK_FALSE(longer.published.verifies("text", by_rsa));
}

TEST_CASE("ECDSA signatures in DER are invalid in a JWS") {
    const auto keys = keys_for(es256);
    // `openssl dgst -sign` writes DER, 70 to 72 bytes long including the lengths of its parts. A JWS must not use it.
    CHECK_FALSE(keys.published.verifies("text", std::string("\x30\x44\x02\x20", 4) + std::string(66, 'x')));
    const std::string signature = keys.own.sign("text").value();
    CHECK(signature.size() == 64);
    const std::string zero(32, '\0');
    CHECK_FALSE(keys.published.verifies("text", signature.substr(0, 32) + zero));
    CHECK_FALSE(keys.published.verifies("text", zero + signature.substr(32)));
}

TEST_CASE("the examples of the RFCs verify") {
    // RFC 7515, A.1; A.3; RFC 8037, A.4.
    const auto a1 =
        signature_key::secret(
            hs256, raw("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"))
            .value();
    const std::string_view payload =
        ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    CHECK(a1.verifies("eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9" + std::string(payload),
                      raw("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")));

    const auto a3 = signature_key::elliptic(es256, raw("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
                                            raw("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
                        .value();
    CHECK(a3.verifies("eyJhbGciOiJFUzI1NiJ9" + std::string(payload),
                      raw("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")));

    const auto a4 = signature_key::edwards(raw("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")).value();
    CHECK(a4.verifies("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
                      raw("hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")));
}

TEST_CASE("weak, unsuitable and malformed keys are rejected with a message") {
    struct row {
        signature_algorithm of;
        std::string file;
        std::string outcome;
    };
    const std::string none = "must be a PEM with a PUBLIC KEY, or with a PRIVATE KEY without passphrase";
    for (const row& r : std::vector<row>{
             {rs256, "rsa_2048", "makes a key"},
             {ps256, "rsa_2048_public", "makes a key"},
             {es256, "p256_sec1", "makes a key"},
             {rs256, "rsa_1024", "a key for RS256 must have 2048 to 8192 bits, not 1024"},
             {rs256, "p256", "a key for RS256 has the wrong type"},
             {es256, "rsa_2048", "a key for ES256 has the wrong type"},
             {es256, "p384_public", "a key for ES256 is on the wrong curve"},
             {es384, "p256_public", "a key for ES384 is on the wrong curve"},
             {es384, "p521_public", "a key for ES384 is on the wrong curve"},
             {es256, "k256_public", "a key for ES256 is on the wrong curve"},
             {eddsa, "ed448_public", "a key for EdDSA has the wrong type"},
             {eddsa, "p256", "a key for EdDSA has the wrong type"},
             {hs256, "rsa_2048_public", "a key for HS256 must be a secret, not a PEM"},
             {es256, "p256_with_passphrase", "a key for ES256 " + none},
         }) {
        CAPTURE(r.file);
        CHECK(seen(signature_key::pem(r.of, pem(r.file))) == r.outcome);
    }
    for (const std::string& text : {std::string(), std::string("-----BEGIN PUBLIC KEY-----\n"),
                                    std::string("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"),
                                    pem("rsa_2048").substr(0, 500), pem("rsa_2048_public").substr(40)})
        CHECK(seen(signature_key::pem(rs256, text)) == "a key for RS256 " + none);
    CHECK(seen(signature_key::pem(rs256, std::string(32'769, 'x'))) ==
          "a key for RS256 must be a PEM of at most 32768 bytes");
}

TEST_CASE("a secret is at least as long as the digest, and not a PEM") {
    CHECK(seen(signature_key::secret(hs256, std::string(31, 's'))) ==
          "a key for HS256 must have at least 32 bytes, not 31");
    CHECK(seen(signature_key::secret(hs256, std::string(32, 's'))) == "makes a key");
    CHECK(seen(signature_key::secret(hs384, std::string(47, 's'))) ==
          "a key for HS384 must have at least 48 bytes, not 47");
    CHECK(seen(signature_key::secret(hs512, std::string(63, 's'))) ==
          "a key for HS512 must have at least 64 bytes, not 63");
    CHECK(seen(signature_key::secret(hs256, "")) == "a key for HS256 must have at least 32 bytes, not 0");
    CHECK(seen(signature_key::secret(hs256, pem("rsa_2048_public"))) == "a key for HS256 must be a secret, not a PEM");
    CHECK(seen(signature_key::secret(rs256, long_secret)) == "a key for RS256 must be a key pair, not a secret");
}

TEST_CASE("keys from numbers are checked like those from PEM") {
    const std::string one("\x01", 1), f4("\x01\x00\x01", 3);
    CHECK(seen(signature_key::rsa(rs256, std::string(256, '\xff'), f4)) == "a key for RS256 is not valid");
    CHECK(seen(signature_key::rsa(rs256, std::string(127, '\xff'), f4)) ==
          "a key for RS256 must have 2048 to 8192 bits, not 1016");
    CHECK(seen(signature_key::rsa(rs256, std::string(1'025, '\xff'), f4)) ==
          "a key for RS256 must have a modulus of at most 8192 bits and an exponent of at most 64 bits");
    CHECK(seen(signature_key::rsa(rs256, "", "")) ==
          "a key for RS256 must have a modulus of at most 8192 bits and an exponent of at most 64 bits");
    CHECK(seen(signature_key::rsa(es256, std::string(256, '\xff'), f4)) == "a key for ES256 has the wrong type");
    CHECK(seen(signature_key::rsa(rs256, std::string(256, '\xff'), one)) == "a key for RS256 is not valid");
    CHECK(seen(signature_key::elliptic(es256, std::string(32, 'x'), std::string(32, 'y'))) ==
          "a key for ES256 is not valid");
    CHECK(seen(signature_key::elliptic(es256, std::string(31, 'x'), std::string(32, 'y'))) ==
          "a key for ES256 must have coordinates of 32 bytes");
    CHECK(seen(signature_key::elliptic(es384, std::string(48, '\0'), std::string(48, '\0'))) ==
          "a key for ES384 is not valid");
    CHECK(seen(signature_key::edwards(std::string(31, 'x'))) == "a key for EdDSA must have 32 bytes");
}

TEST_CASE("a public key cannot sign") {
    const auto published = signature_key::pem(rs256, pem("rsa_2048_public")).value();
    CHECK_FALSE(published.signs());
    CHECK(published.sign("text").error().detail() == "a public key cannot sign: use the private key");
    CHECK(signature_key::pem(rs256, pem("rsa_2048")).value().signs());
}

TEST_CASE("algorithm names are exact") {
    for (const signature_algorithm of : every) CHECK(signature_algorithm_named(facts(of).name) == of);
    for (const std::string_view name : {"none", "None", "NONE", "", "hs256", "HS256 ", "HS1", "RS1", "ES256K"})
        CHECK_FALSE(signature_algorithm_named(name));
}
