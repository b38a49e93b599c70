// SPDX-License-Identifier: Apache-2.0
#include "crypto/base64.hpp"
#include "crypto/hmac.hpp"
#include "jwt/jwk.hpp"
#include "jwt/members.hpp"
#include "jwt/token.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace apus;
using apus::fuzz::must;

const std::string secret(32, 's');

const jwt::verifier& verifier() {
    static const jwt::key_set keys({jwt::key::secret(jwt::algorithm::hs256, secret).value()});
    static const jwt::verifier made(keys, {.issuer = "i", .audience = "a", .remembered = 0});
    return made;
}

void read_object(std::string_view text) {
    const auto read = jwt::read_members(text);
    if (!read) return;
    for (const jwt::member& m : *read) {
        must(!m.value.empty() && m.value.data() >= text.data() &&
                 m.value.data() + m.value.size() <= text.data() + text.size(),
             "values are within the token");
        must(jwt::find(*read, m.name) == &m, "member names are unique");
        must(jwt::text_of(m).has_value() == (m.type == jwt::kind::text), "only a member of type text is read as text");
        if (m.type == jwt::kind::array) jwt::elements(m.value);
        if (m.type == jwt::kind::object)
            must(jwt::read_members(m.value).has_value(), "members of a nested object can be read");
        jwt::seconds_of(m);
    }
}

// Verifies a token with a valid signature and arbitrary header and claims, as a careless issuer might sign them.
void verify_signed(std::string_view header, std::string_view claims) {
    std::string token = crypto::base64url(header) + '.' + crypto::base64url(claims);
    token += '.' + crypto::base64url(crypto::hmac_sha256(secret, token));
    const auto said = verifier().verify(token, 1'800'000'000);
    if (!said)
        return must(said.error().status() == 401 && !said.error().detail().empty(), "a rejected token has a reason");
    must(said->issuer() == "i" && said->json() == claims, "the returned claims are those of the token");
    must(said->expires() > 1'799'999'000, "an expired token is rejected");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view text(in.data(), in.size());
    read_object(text);
    jwt::token t;
    if (!jwt::read_token(text, t))
        must(text.starts_with(t.signed_part) && !t.signature.empty(),
             "a parsed token has a signed part and a signature");
    must(!verifier().verify(text, 1'800'000'000), "a token with an invalid signature is rejected");
    static_cast<void>(jwt::read_jwks(text));
    const std::size_t line = text.find('\n');
    if (line != text.npos) verify_signed(text.substr(0, line), text.substr(line + 1));
    verify_signed(R"({"alg":"HS256"})", text);
    return 0;
}
