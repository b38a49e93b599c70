// SPDX-License-Identifier: Apache-2.0
#include "middleware/decoded_body.hpp"

#include "compression/coded.hpp"

#include <doctest/doctest.h>

using apus::content_coding;
using apus::middleware::decoded_whole;
using apus::support::coded;

TEST_CASE("a complete body is decoded in steps") {
    const std::string text(1'000'000, 'a'), bytes = coded(content_coding::gzip, text);
    decoded_whole whole(bytes, content_coding::gzip, {.size = 1'000'000, .ratio = 10'000});
    int slices = 1;
    while (!whole.go_on()) ++slices;
    CHECK(slices == 4);
    CHECK(whole.refused() == nullptr);
    CHECK((whole.text() == text));
}

TEST_CASE("a rejected body has a reason") {
    const std::string bytes = coded(content_coding::zstd, std::string(200'000, 'a'));
    decoded_whole large(bytes, content_coding::zstd, {.size = 100'000, .ratio = 1'000'000});
    while (!large.go_on()) continue;
    REQUIRE(large.refused());
    CHECK(large.refused()->status == 413);

    decoded_whole cut(std::string_view(bytes).substr(0, 5), content_coding::zstd, {.size = 100'000});
    CHECK(cut.go_on());
    CHECK(cut.refused() == &apus::middleware::body_cut_short);
}
