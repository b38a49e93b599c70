// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/chunk_extension.hpp"
#include "codec/http1/chunked.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using namespace apus::codec::http1;
using codec::outcome;

namespace {

constexpr std::string_view good[] = {
    "5;a\r\n", "5;a=b;c=\"d e\\\"\\\\\t;\";f\r\n", "5 ; a = b\t;c\r\n", "5;a=\"\"\r\n", "5;a=\"\xc3\xa9\"\r\n",
};

struct refused {
    std::string_view bytes;
    const codec::refusal* why;
};

constexpr refused bad[] = {
    {"5 \r\n", &refusals::chunk_extension},
    {"5\t\r\n", &refusals::chunk_extension},
    {"5;\r\n", &refusals::chunk_extension},
    {"5;;a\r\n", &refusals::chunk_extension},
    {"5;=b\r\n", &refusals::chunk_extension},
    {"5;a=\r\n", &refusals::chunk_extension},
    {"5;a \r\n", &refusals::chunk_extension},
    {"5;a=b \r\n", &refusals::chunk_extension},
    {"5;a b\r\n", &refusals::chunk_extension},
    {"5;a=\"b\r\n", &refusals::chunk_extension},
    {"5;a=\"b\"c\r\n", &refusals::chunk_extension},
    {"5;a=\"\\\r\"\r\n", &refusals::chunk_extension},
    {"5;a\x01\r\n", &refusals::chunk_extension},
    {"5;a\nhello", &refusals::bare_lf},
    {"5;a=\"\n\"\r\n", &refusals::bare_lf},
    {"5;\n", &refusals::bare_lf},
    {"5;a\rb\r\n", &refusals::bare_cr},
};

codec::parsed<std::uint64_t> read(std::string_view bytes) {
    static test::page_end room(64 * 1024);
    return read_chunk_size(room.place(bytes));
}

}  // namespace

TEST_CASE("chunk extensions are skipped once they are complete") {
    for (const auto bytes : good) {
        CAPTURE(bytes);
        CHECK(read(bytes).value == 5);
        CHECK(read(bytes).used == bytes.size());
        for (std::size_t n = 0; n < bytes.size(); ++n) CHECK(read(bytes.substr(0, n)).state == outcome::partial);
    }
}

TEST_CASE("malformed chunk extensions are rejected") {
    for (const auto& [bytes, why] : bad) {
        CAPTURE(bytes);
        CHECK(read(bytes).state == outcome::bad);
        CHECK(read(bytes).why == why);
        for (std::size_t n = 0; n < bytes.size(); ++n) CHECK(read(bytes.substr(0, n)).state != outcome::done);
    }
}

TEST_CASE("endless chunk extensions are rejected") {
    const auto over = &refusals::chunk_extension_too_long;
    CHECK(read("5;" + std::string(255, 'a') + "\r\n").used == 259);
    CHECK(read("5;" + std::string(256, 'a') + "\r\n").why == over);
    CHECK(read("5;" + std::string(255, 'a')).state == outcome::partial);
    CHECK(read("5;" + std::string(256, 'a')).why == over);
    CHECK(read("5;a=\"" + std::string(60'000, ' ')).why == over);
    CHECK(read("5" + std::string(60'000, ' ')).why == over);
}
