// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/framing_fields.hpp"

#include "codec/http1/refusals.hpp"

#include <doctest/doctest.h>

using namespace apus::codec::http1;

TEST_CASE("Content-Length is accepted once, Transfer-Encoding in HTTP/1.1 only") {
    known_fields seen = 0;
    std::uint64_t length = 0;
    CHECK(note_length("12", seen, length) == nullptr);
    CHECK(length == 12);
    CHECK(note_length("12", seen, length) == &refusals::length_repeated);
    CHECK(note_coding("chunked", seen, 0) == &refusals::coding_in_http10);
    CHECK(note_coding("chunked", seen, 1) == nullptr);
    CHECK(note_coding("chunked", seen, 1) == &refusals::coding_repeated);
}

TEST_CASE("Connection is a case-insensitive list of options") {
    known_fields seen = 0;
    note_connection("x, Close ,Keep-Alive,upgrade", seen);
    CHECK(seen == (close_said | keep_alive_said | upgrade_said));
}
