// SPDX-License-Identifier: Apache-2.0
#include "middleware/idempotency_record.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::middleware;

namespace {

const std::string print(32, 'p');

apus::response created() {
    apus::response res(201);
    res.body(std::string("{\"id\":1}\0", 9), "application/json").header("Location", "/1").header("X-Empty", "");
    res.header("Set-Cookie", "a=b");
    return res;
}

}  // namespace

TEST_CASE("idempotency records: a request in progress") {
    const auto read = read_record(new_claim(print));
    REQUIRE(read);
    CHECK(read->fingerprint == print);
    CHECK(read->status == 0);
    CHECK_FALSE(read->kept);
    CHECK(new_claim(print) != new_claim(print));
}

TEST_CASE("idempotency records: a response with status, fields and body, without cookies") {
    const auto read = read_record(to_bytes(print, created(), true));
    REQUIRE(read);
    REQUIRE(read->kept);
    CHECK(read->status == 201);
    apus::response out;
    read->kept->put_into(out);
    CHECK(out.status() == 201);
    CHECK(out.body() == created().body());
    CHECK(out.media_type() == "application/json");
    CHECK(out.header("location") == "/1");
    CHECK(out.header("set-cookie").empty());
}

TEST_CASE("idempotency records: a response that is not stored has its status") {
    const auto read = read_record(to_bytes(print, created(), false));
    REQUIRE(read);
    CHECK(read->status == 201);
    CHECK_FALSE(read->kept);
}

TEST_CASE("idempotency records: invalid bytes and other versions are rejected") {
    const std::string whole = to_bytes(print, created(), true), claim = new_claim(print);
    for (const std::string& bytes : {whole, claim}) {
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            CAPTURE(size);
            // Fields are optional, so a record may end between two of them.
            const auto read = read_record(bytes.substr(0, size));
            CHECK((!read || (read->kept && read->kept->fields.size() < 2)));
        }
    }
    const std::string head = whole.substr(0, 8 + 1 + 32);
    const std::string rows[] = {
        "",
        "text",
        "apus-ik2" + whole.substr(8),
        "apus-ik1x" + whole.substr(9),
        head + "600s",
        head + "199-",
        head + "2x0-",
        head + "200-more",
        head + "200s\xff\xff\xff\xff",
        claim + "more",
        // Fields that `response::header` rejects.
        head + std::string("200s\0\0\0\0\0\0\0\0\1\0\0\0 \1\0\0\0x", 22),
        head + std::string("200s\0\0\0\0\0\0\0\0\1\0\0\0a\2\0\0\0\r\n", 23),
        head + std::string("200s\0\0\0\0\0\0\0\0\4\0\0\0date\1\0\0\0x", 25),
    };
    for (const std::string& bytes : rows) {
        CAPTURE(bytes);
        CHECK_FALSE(read_record(bytes));
    }
}
