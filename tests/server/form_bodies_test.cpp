// SPDX-License-Identifier: Apache-2.0
#include "server/form_bodies.hpp"

#include <doctest/doctest.h>

using namespace apus;

TEST_CASE("a form's body is encoded as browsers do") {
    CHECK(server::urlencoded({}) == "");
    CHECK(server::urlencoded({{"a", "b c"}, {"d&e", "=\xc3\xa9\r\n*-._~"}}) == "a=b+c&d%26e=%3D%C3%A9%0D%0A*-._%7E");
}

TEST_CASE("a multipart boundary occurs in none of the parts") {
    const auto one = server::multipart_of({{"a", "1"}, {"f\"\r\n", "--apus-boundary", "x.txt", "text/plain"}});
    CHECK(one.boundary == "apus-boundaryx");
    CHECK(one.body ==
          "--apus-boundaryx\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
          "--apus-boundaryx\r\ncontent-disposition: form-data; name=\"f%22%0D%0A\"; "
          "filename=\"x.txt\"\r\ncontent-type: text/plain\r\n\r\n"
          "--apus-boundary\r\n--apus-boundaryx--\r\n");
}
