// SPDX-License-Identifier: Apache-2.0
#include "crypto/digest.hpp"

#include "crypto/base64.hpp"

#include <doctest/doctest.h>

using apus::crypto::base64;
using apus::crypto::sha256;

TEST_CASE("the digests of FIPS 180-4's examples") {
    CHECK(base64(sha256("")) == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    CHECK(base64(sha256("abc")) == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    CHECK(base64(sha256(std::string(1'000'000, 'a'))) == "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA=");
}
