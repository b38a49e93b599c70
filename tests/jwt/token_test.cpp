// SPDX-License-Identifier: Apache-2.0
#include "jwt/token.hpp"

#include "crypto/base64.hpp"

#include <doctest/doctest.h>

using namespace apus;

TEST_CASE("contents of an unverified token") {
    const std::string text = crypto::base64url(R"({"alg":"RS384","kid":"one","typ":"Application/AT+JWT"})") + '.' +
                             crypto::base64url("claims");
    jwt::token t;
    const std::string whole = text + '.' + crypto::base64url("signature");
    REQUIRE(jwt::read_token(whole, t) == nullptr);
    CHECK(t.signed_part == text);
    CHECK(t.algorithm == jwt::algorithm::rs384);
    CHECK(t.key_id == "one");
    CHECK(t.type == "at+jwt");
    CHECK(t.payload == "claims");
    CHECK(t.signature == "signature");
}
