// SPDX-License-Identifier: Apache-2.0
#include "middleware/api_key.hpp"

#include <doctest/doctest.h>

using namespace apus::middleware;

TEST_CASE("format of an API key") {
    const std::string id = "0123456789abcdef", secret(64, 'a');
    CHECK(id_of_api_key("ak_" + id + "_" + secret) == id);
    for (const std::string& text :
         {std::string(), std::string("ak"), "ak_" + id, "ak_" + id + "_", "_" + id + "_" + secret,
          "ak_" + id + "_" + secret + "a", "ak_" + id + "-" + secret, "ak__" + id + secret, "a-k_" + id + "_" + secret,
          "ak_0123456789abcdeF_" + secret, "ak_" + id + "_" + secret.substr(1) + "g",
          std::string(17, 'k') + "_" + id + "_" + secret})
        CHECK(id_of_api_key(text).empty());
    CHECK(digest_of_api_key("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
