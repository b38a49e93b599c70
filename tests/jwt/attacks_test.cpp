// SPDX-License-Identifier: Apache-2.0
// Tokens that must be rejected, and a few valid ones for comparison. Each new check of the verifier needs an attack
// here.
#include "crypto/hmac.hpp"
#include "jwt/tokens.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace apus;
using namespace apus::test;
using enum crypto::signature_algorithm;

namespace {

struct attack {
    std::string what;
    std::string token;
    std::string answer;
};

const char* const no_alg = "the token's `alg` is not supported";
const char* const no_key = "unknown key: no key matches the token's `kid` and `alg`";
const char* const no_match = "the token's signature does not match";
const char* const no_header = "the token's header must be a JSON object without duplicate members";
const char* const no_claims = "the token's claims must be a JSON object without duplicate members";
const char* const no_encoding = "a part of the token is invalid base64url";
const char* const no_parts = "a token must have three parts, separated by dots";
const char* const no_signature = "the token has no signature";
const char* const no_exp = "the token's `exp` is not a valid time";

const std::string head = R"({"alg":"ES256","typ":"JWT","kid":"ec"})";
const std::string fine = R"({"iss":"https://id.example","aud":"api","sub":"ann","exp":1800000600})";

const signer& ec() {
    static const signer s = signing(es256, "p256");
    return s;
}
std::string with_header(const std::string& header) { return ec()(header, fine); }
std::string with_claims(const std::string& claims) { return ec()(head, claims); }
std::string with_exp(const std::string& exp) {
    return with_claims(R"({"iss":"https://id.example","aud":"api","sub":"ann","exp":)" + exp + "}");
}
std::string with_more(const std::string& more) {
    return with_claims(fine.substr(0, fine.size() - 1) + "," + more + "}");
}

std::string with_signature(const std::string& token, const std::string& signature) {
    return token.substr(0, token.rfind('.') + 1) + signature;
}

// The parts of a token.
struct cut {
    std::string header, payload, signature;
    explicit cut(const std::string& token)
        : header(token.substr(0, token.find('.'))),
          payload(token.substr(header.size() + 1, token.rfind('.') - header.size() - 1)),
          signature(token.substr(token.rfind('.') + 1)) {}
};

void check(const std::vector<attack>& rows) {
    const jwt::verifier verifier(keys_of_service(), expected());
    for (const attack& row : rows) {
        CAPTURE(row.what);
        CHECK(seen(verifier.verify(row.token, noon)) == row.answer);
    }
}

}  // namespace

TEST_CASE("accepted tokens") {
    check({
        {"ECDSA", ec()(head, fine), "sub ann"},
        {"ECDSA, P-384", signing(es384, "p384")(R"({"alg":"ES384","kid":"ec384"})", fine), "sub ann"},
        {"RSA", signing(rs256, "rsa_2048")(R"({"alg":"RS256","kid":"rsa"})", fine), "sub ann"},
        {"RSA, PSS", signing(ps256, "rsa_2048")(R"({"alg":"PS256","kid":"pss"})", fine), "sub ann"},
        {"Ed25519", signing(eddsa, "ed25519")(R"({"alg":"EdDSA","kid":"ed"})", fine), "sub ann"},
        {"HMAC", signing(hs256, shared_secret, 0)(R"({"alg":"HS256","kid":"hs"})", fine), "sub ann"},
        {"white space and order of members", with_header(" { \"kid\" : \"ec\" ,\n\"alg\":\"ES256\" } "), "sub ann"},
        {"escapes in a name", with_header(R"({"\u0061lg":"ES256","kid":"\u0065c"})"), "sub ann"},
        {"typ in capitals and in full", with_header(R"({"alg":"ES256","kid":"ec","typ":"application/at+JWT"})"),
         "sub ann"},
        {"expired within the skew", with_exp("1799999941"), "sub ann"},
        {"exp with a fraction", with_exp("1800000600.5"), "sub ann"},
        {"exp with an exponent", with_exp("1.8000006e9"), "sub ann"},
        {"not before within the skew", with_more(R"("nbf":1800000060)"), "sub ann"},
        {"several audiences",
         with_claims(R"({"iss":"https://id.example","aud":["web","api"],"sub":"ann","exp":1800000600})"), "sub ann"},
        {"unknown members", with_more(R"("x":{"y":[1,2,{"z":null}]},"admin":true)"), "sub ann"},
    });
}

TEST_CASE("attacks on the algorithm") {
    const std::string unsigned_part = encoded(R"({"alg":"none"})") + '.' + encoded(fine);
    const auto by_public_key = [](const std::string& header, const std::string& file) {
        const std::string text = encoded(header) + '.' + encoded(fine);
        return text + '.' + encoded(crypto::hmac_sha256(pem(file), text));
    };
    const auto none = [](const std::string& spelling) {
        return with_header(R"({"alg":")" + spelling + R"(","kid":"ec"})");
    };
    check({
        {"none without a signature", unsigned_part + ".", no_signature},
        {"none with a signature", none("none"), no_alg},
        {"None", none("None"), no_alg},
        {"NONE", none("NONE"), no_alg},
        {"nOnE", none("nOnE"), no_alg},
        {"none with a space", none("none "), no_alg},
        {"none by escapes", none("\\u006eone"), no_alg},
        {"an empty algorithm", none(""), no_alg},
        {"no algorithm", with_header(R"({"kid":"ec"})"), no_alg},
        {"null as algorithm", with_header(R"({"alg":null,"kid":"ec"})"), no_alg},
        {"a number as algorithm", with_header(R"({"alg":256,"kid":"ec"})"), no_alg},
        {"an array of algorithms", with_header(R"({"alg":["ES256"],"kid":"ec"})"), no_alg},
        {"lower case", with_header(R"({"alg":"es256","kid":"ec"})"), no_alg},
        {"ES256 behind a NUL", with_header("{\"alg\":\"ES256\\u0000\",\"kid\":\"ec\"}"), no_alg},
        {"an algorithm of encryption", with_header(R"({"alg":"dir","enc":"A256GCM","kid":"ec"})"), no_alg},
        {"a curve that is not taken", with_header(R"({"alg":"ES256K","kid":"ec"})"), no_alg},
        {"HMAC by the id of an elliptic key", by_public_key(R"({"alg":"HS256","kid":"ec"})", "p256_public"), no_key},
        {"HMAC by the id of an RSA key", by_public_key(R"({"alg":"HS256","kid":"rsa"})", "rsa_2048_public"), no_key},
        {"HMAC without an id", by_public_key(R"({"alg":"HS256"})", "rsa_2048_public"), no_key},
        {"HS512 by the id of the secret of HS256",
         signing(hs512, shared_secret, 0)(R"({"alg":"HS512","kid":"hs"})", fine), no_key},
        {"RSA with PSS said to be without", signing(ps256, "rsa_2048")(R"({"alg":"RS256","kid":"rsa"})", fine),
         no_match},
        {"PSS by the id of the key without", signing(ps256, "rsa_2048")(R"({"alg":"PS256","kid":"rsa"})", fine),
         no_key},
        {"another digest", signing(rs512, "rsa_2048")(R"({"alg":"RS512","kid":"rsa"})", fine), no_key},
        {"RS256 with the signature of RS512", signing(rs512, "rsa_2048")(R"({"alg":"RS256","kid":"rsa"})", fine),
         no_match},
        {"an elliptic key of another curve", signing(es384, "p384")(R"({"alg":"ES256","kid":"ec"})", fine), no_match},
        {"the other curve's id", ec()(R"({"alg":"ES256","kid":"ec384"})", fine), no_key},
    });
}

TEST_CASE("a public key is not accepted as a shared secret") {
    // A naive verifier would accept an HMAC computed with the PEM of the public key.
    for (const char* file : {"rsa_2048_public", "p256_public", "ed25519_public"}) {
        CHECK_FALSE(jwt::key::secret(jwt::algorithm::hs256, pem(file)));
        CHECK_FALSE(jwt::key::pem(jwt::algorithm::hs256, pem(file)));
    }
}

TEST_CASE("attacks on the key") {
    const signer other = signing(eddsa, "ed25519");
    const auto id = [](const std::string& kid) { return with_header(R"({"alg":"ES256","kid":)" + kid + "}"); };
    const std::string jwk = R"({"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})";
    check({
        {"an unknown id", id(R"("nobody")"), no_key},
        {"no id where there are several keys", with_header(R"({"alg":"ES256"})"), no_key},
        {"an empty id", id(R"("")"), no_key},
        {"a path", id(R"("../../../../dev/null")"), no_key},
        {"a path to an empty file", id(R"("/proc/sys/kernel/randomize_va_space")"), no_key},
        {"SQL", id(R"("x' UNION SELECT 'secret' --")"), no_key},
        {"a command", id(R"("ec; cat /etc/passwd|")"), no_key},
        {"an URL", id(R"("https://attacker.example/key")"), no_key},
        {"an id behind a NUL", id(R"("ec\u0000")"), no_key},
        {"an id in another case", id(R"("EC")"), no_key},
        {"a long id", id('"' + std::string(4'000, 'k') + '"'), no_key},
        {"an id that is a number", id("1"), "the token's `kid` is not a string"},
        {"an id that is an object", id(R"({"$ne":null})"), "the token's `kid` is not a string"},
        {"an id that is an array", id(R"(["ec"])"), "the token's `kid` is not a string"},
        {"a key of its own", other(R"({"alg":"EdDSA","kid":"mine","jwk":)" + jwk + "}", fine), no_key},
        {"a key of its own by our id",
         signing(es256, "p256_other")(R"({"alg":"ES256","kid":"ec","jwk":)" + jwk + "}", fine), no_match},
        {"a place of keys",
         signing(es256, "p256_other")(R"({"alg":"ES256","kid":"ec","jku":"https://attacker.example/jwks"})", fine),
         no_match},
        {"a certificate's place",
         signing(es256, "p256_other")(R"({"alg":"ES256","kid":"ec","x5u":"https://attacker.example/cert"})", fine),
         no_match},
        {"a certificate", signing(es256, "p256_other")(R"({"alg":"ES256","kid":"ec","x5c":["AAAA"]})", fine), no_match},
        {"another key", signing(es256, "p256_other")(head, fine), no_match},
        {"critical extensions", with_header(R"({"alg":"ES256","kid":"ec","crit":["exp"],"exp":1})"),
         "the token has critical extensions, which are not supported"},
        {"an unencoded payload", with_header(R"({"alg":"ES256","kid":"ec","crit":["b64"],"b64":false})"),
         "the token has critical extensions, which are not supported"},
        {"no critical extensions", with_header(R"({"alg":"ES256","kid":"ec","crit":[]})"),
         "the token has critical extensions, which are not supported"},
        {"a token inside", with_header(R"({"alg":"ES256","kid":"ec","cty":"JWT"})"),
         "the token has a `cty`: only claims are supported"},
        {"a token of another type", with_header(R"({"alg":"ES256","kid":"ec","typ":"logout+jwt"})"),
         "the token has the wrong type"},
        {"a type that is not a string", with_header(R"({"alg":"ES256","kid":"ec","typ":1})"),
         "the token's `typ` is not a string"},
    });
}

TEST_CASE("attacks on the signature") {
    const std::string token = ec()(head, fine);
    const cut parts(token);
    const std::string signature = crypto::decode_base64url(parts.signature).value();
    const auto signed_with = [&token](const std::string& bytes) { return with_signature(token, encoded(bytes)); };
    std::string changed = parts.payload;
    changed[30] = changed[30] == 'A' ? 'B' : 'A';
    check({
        {"none", with_signature(token, ""), no_signature},
        {"zeros", signed_with(std::string(64, '\0')), no_match},
        {"r of zero", signed_with(std::string(32, '\0') + signature.substr(32)), no_match},
        {"s of zero", signed_with(signature.substr(0, 32) + std::string(32, '\0')), no_match},
        {"ones", signed_with(std::string(31, '\0') + '\1' + std::string(31, '\0') + '\1'), no_match},
        {"over the order of the curve", signed_with(std::string(64, '\xff')), no_match},
        {"DER", signed_with(std::string("\x30\x06\x02\x01\x00\x02\x01\x00", 8)), no_match},
        {"cut", signed_with(signature.substr(0, 63)), no_match},
        {"longer", signed_with(signature + '\0'), no_match},
        {"r with zeros before it", signed_with(std::string(1, '\0') + signature), no_match},
        {"of another token", with_signature(token, cut(with_exp("1900000000")).signature), no_match},
        {"a changed payload", parts.header + '.' + changed + '.' + parts.signature, no_match},
        {"a changed header", encoded(R"({"kid":"ec","alg":"ES256"})") + '.' + parts.payload + '.' + parts.signature,
         no_match},
        {"of one byte", signed_with("x"), no_match},
        {"very long", signed_with(std::string(4'000, 'x')), no_match},
        {"zeros for RSA",
         with_signature(signing(rs256, "rsa_2048")(R"({"alg":"RS256","kid":"rsa"})", fine),
                        encoded(std::string(256, '\0'))),
         no_match},
        {"zeros for Ed25519",
         with_signature(signing(eddsa, "ed25519")(R"({"alg":"EdDSA","kid":"ed"})", fine),
                        encoded(std::string(64, '\0'))),
         no_match},
        {"zeros for HMAC",
         with_signature(signing(hs256, shared_secret, 0)(R"({"alg":"HS256","kid":"hs"})", fine),
                        encoded(std::string(32, '\0'))),
         no_match},
        {"HMAC cut", with_signature(signing(hs256, shared_secret, 0)(R"({"alg":"HS256","kid":"hs"})", fine), "AA"),
         no_match},
    });
}

TEST_CASE("attacks on the form") {
    const std::string token = ec()(head, fine);
    const cut parts(token);
    check({
        {"nothing", "", no_parts},
        {"a word", "token", no_parts},
        {"two parts", parts.header + '.' + parts.payload, no_parts},
        {"dots", "..", no_signature},
        {"one dot more", token + ".", no_parts},
        {"a dot before", "." + token, no_parts},
        {"five parts, as of encryption", token + ".AA.AA", no_parts},
        {"padding behind the signature", token + "==", no_encoding},
        {"padding behind the header", parts.header + "=." + parts.payload + '.' + parts.signature, no_encoding},
        {"the alphabet of base 64", parts.header + '.' + parts.payload + '.' + "+/" + parts.signature.substr(2),
         no_encoding},
        {"white space", token.substr(0, 10) + ' ' + token.substr(10), no_encoding},
        {"a line end", token + "\n", no_encoding},
        {"a NUL", token + std::string(1, '\0'), no_encoding},
        {"no ASCII", token + "\xc3\xa4", no_encoding},
        {"bits left over",
         parts.header + '.' + parts.payload + '.' + parts.signature.substr(0, 85) +
             (parts.signature[85] == 'B' ? 'C' : 'B'),
         no_encoding},
        {"cut", token.substr(0, token.size() / 2), no_parts},
        {"too long", std::string(8'193, 'x'), "the token is too long"},
        {"JSON instead", R"({"payload":"e30","signatures":[]})", no_parts},
        {"a header of nothing", ec().raw("", encoded(fine)), no_header},
        {"a header that is an array", with_header(R"([{"alg":"ES256","kid":"ec"}])"), no_header},
        {"a header that is cut", with_header(R"({"alg":"ES256","kid":"ec")"), no_header},
        {"something behind the header", with_header(head + "{}"), no_header},
        {"a comment in the header", with_header(R"({"alg":"ES256",/**/"kid":"ec"})"), no_header},
        {"a comma too many", with_header(R"({"alg":"ES256","kid":"ec",})"), no_header},
        {"names without quotes", with_header(R"({alg:"ES256",kid:"ec"})"), no_header},
        {"a header in invalid UTF-8", with_header("{\"alg\":\"ES256\",\"kid\":\"ec\",\"x\":\"\xff\"}"), no_header},
        {"a byte order mark", with_header("\xef\xbb\xbf" + head), no_header},
        {"two algorithms", with_header(R"({"alg":"none","alg":"ES256","kid":"ec"})"), no_header},
        {"two algorithms, one by escapes", with_header(R"({"alg":"ES256","\u0061lg":"none","kid":"ec"})"), no_header},
        {"two ids", with_header(R"({"alg":"ES256","kid":"ec","kid":"rsa"})"), no_header},
        {"two members deep inside", with_header(R"({"alg":"ES256","kid":"ec","x":{"a":1,"a":2}})"), no_header},
        {"a deep header",
         with_header(R"({"alg":"ES256","kid":"ec","x":)" + std::string(2'000, '[') + std::string(2'000, ']') + "}"),
         no_header},
        {"half a surrogate pair", with_header(R"({"alg":"ES256","kid":"ec","x":"\ud800"})"), no_header},
        {"a control character", with_header("{\"alg\":\"ES256\",\"kid\":\"ec\",\"x\":\"\n\"}"), no_header},
        {"claims of nothing", with_claims(""), no_claims},
        {"claims that are a text", with_claims("\"ann\""), no_claims},
        {"two times of expiry", with_claims(R"({"exp":1800000600,"iss":"https://id.example","aud":"api","exp":1}")"),
         no_claims},
        {"two subjects", with_more(R"("sub":"root")"), no_claims},
    });
}

TEST_CASE("attacks on the claims") {
    const auto audience = [](const std::string& aud) {
        return with_claims(R"({"iss":"https://id.example","aud":)" + aud + R"(,"exp":1800000600})");
    };
    const auto issuer = [](const std::string& iss) {
        return with_claims(R"({"iss":)" + iss + R"(,"aud":"api","exp":1800000600})");
    };
    const char* const other_issuer = "the token is from another issuer";
    const char* const other_audience = "the token is for another audience";
    const char* const odd_audience = "the token's `aud` must be a string or an array of strings";
    check({
        {"expired", with_exp("1799999940"), "the token has expired"},
        {"expired long ago", with_exp("0"), "the token has expired"},
        {"no expiry", with_claims(R"({"iss":"https://id.example","aud":"api"})"), "the token has no `exp`"},
        {"an expiry that is a text", with_exp("\"1800000600\""), no_exp},
        {"an expiry of null", with_exp("null"), no_exp},
        {"a negative expiry", with_exp("-1"), no_exp},
        {"a huge expiry", with_exp("1e308"), no_exp},
        {"an endless expiry", with_exp("1e400"), no_exp},
        {"an expiry over 2^53", with_exp("9007199254740993"), no_exp},
        {"an expiry over 64 bits", with_exp("184467440737095516160"), no_exp},
        {"an expiry of milliseconds a day later", with_exp("[1800000600]"), no_exp},
        {"NaN as a number", with_exp("NaN"), no_claims},
        {"a number with zeros before it", with_exp("01800000600"), no_claims},
        {"not valid yet", with_more(R"("nbf":1800000061)"), "the token is not valid yet"},
        {"a beginning that is a text", with_more(R"("nbf":"0")"), "the token's `nbf` is not a valid time"},
        {"issued in the future", with_more(R"("iat":1800000061)"), "the token's `iat` is in the future"},
        {"issued at true", with_more(R"("iat":true)"), "the token's `iat` is not a valid time"},
        {"another issuer", issuer(R"("https://id.example.attacker.example")"), other_issuer},
        {"an issuer with a slash", issuer(R"("https://id.example/")"), other_issuer},
        {"an issuer in capitals", issuer(R"("HTTPS://id.example")"), other_issuer},
        {"an issuer behind a NUL", issuer(R"("https://id.example\u0000")"), other_issuer},
        {"issuers in an array", issuer(R"(["https://id.example"])"), "the token's `iss` is not a string"},
        {"no issuer", with_claims(R"({"aud":"api","exp":1800000600})"), other_issuer},
        {"another audience", audience(R"("web")"), other_audience},
        {"an audience that begins so", audience(R"("api2")"), other_audience},
        {"other audiences", audience(R"(["web","ap","i"])"), other_audience},
        {"no audience in the array", audience("[]"), other_audience},
        {"an audience in an array in an array", audience(R"([["api"]])"), odd_audience},
        {"an audience among numbers", audience(R"(["api",1])"), odd_audience},
        {"an audience that is an object", audience(R"({"api":true})"), odd_audience},
        {"an audience of null", audience("null"), odd_audience},
        {"no audience", with_claims(R"({"iss":"https://id.example","exp":1800000600})"), "the token has no `aud`"},
        {"a subject that is a number",
         with_claims(R"({"iss":"https://id.example","aud":"api","sub":1,"exp":1800000600})"),
         "the token's `sub` is not a string"},
        {"an id that is an object", with_more(R"("jti":{})"), "the token's `jti` is not a string"},
    });
}
