// SPDX-License-Identifier: Apache-2.0
#include "crypto/hmac.hpp"

#include <doctest/doctest.h>

using namespace apus::crypto;

namespace {

std::string hex(std::string_view bytes) {
    std::string text;
    for (const char c : bytes)
        for (const int digit : {static_cast<unsigned char>(c) >> 4, static_cast<unsigned char>(c) & 15})
            text += "0123456789abcdef"[digit];
    return text;
}

}  // namespace

TEST_CASE("hmac: vectors of RFC 4231") {
    CHECK(hex(hmac_sha256(std::string(20, '\x0b'), "Hi There")) ==
          "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    CHECK(hex(hmac_sha512(std::string(20, '\x0b'), "Hi There")) ==
          "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61"
          "f1702e696c203a126854");
    CHECK(hex(hmac_sha256("Jefe", "what do ya want for nothing?")) ==
          "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    CHECK(hex(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First")) ==
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}
