// SPDX-License-Identifier: Apache-2.0
#include "compression/coding.hpp"

#include <doctest/doctest.h>

using apus::content_coding;
using apus::compression::coding_of;

TEST_CASE("codings are found by name, case-insensitively") {
    CHECK(coding_of("gzip") == content_coding::gzip);
    CHECK(coding_of("GZip") == content_coding::gzip);
    CHECK(coding_of("x-gzip") == content_coding::gzip);
    CHECK(coding_of("deflate") == content_coding::deflate);
    CHECK(coding_of("br") == content_coding::br);
    CHECK(coding_of("zstd") == content_coding::zstd);
    CHECK(coding_of("identity") == content_coding::identity);
    for (auto other : {"", "g", "gzi", "gzip ", "compress", "x-br", "*"}) CHECK_FALSE(coding_of(other));
}
