// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/response_fields.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace apus;

namespace {

void add_to(outbound::h2::response_fields& fields, std::string_view name, std::string_view value) {
    codec::hpack::field f{};
    f.name = name;
    f.value = value;
    f.id = codec::fields::find_field_id(name);
    fields.add(f);
}

}  // namespace

TEST_CASE("HTTP/2 client: a head has the same maximum size as in HTTP/1.1, even with a larger limit") {
    outbound::received to;
    outbound::h2::response_fields fields;
    fields.begin(outbound::h2::section::head, &to, {100, 100, 100'000});
    add_to(fields, ":status", "200");
    const std::string value(1'000, 'v');
    unsigned added = 0;
    for (; fields.wants_more() && added < 90; ++added) add_to(fields, "n", value);
    CHECK(added == 33);  // the last one exceeds 32 KiB
    REQUIRE(fields.finish());
    CHECK(std::string_view(fields.finish()) == "the fields have too many bytes");
}

TEST_CASE("HTTP/2 client: a head is stored like an HTTP/1.1 head") {
    outbound::received to;
    outbound::h2::response_fields fields;
    fields.begin(outbound::h2::section::head, &to, {100, 9, 60});
    const auto add = [&](std::string_view name, std::string_view value) { add_to(fields, name, value); };
    add(":status", "201");
    add("set-cookie", "a=1");
    add("set-cookie", "b=2");
    add("content-length", "0");
    CHECK(fields.finish() == nullptr);
    CHECK(to.head.status == 201);
    CHECK(to.head.field_count == 3);
    CHECK(to.field("Set-Cookie") == "a=1");
    CHECK(to.count("set-cookie") == 2);
    CHECK(fields.has_length());
    CHECK(fields.length() == 0);
    CHECK(fields.wants_more());
    add("one", "more");
    CHECK_FALSE(fields.wants_more());
    CHECK(std::string_view(fields.finish()) == "the fields have too many bytes");
}

TEST_CASE("HTTP/2 client: trailers are stored only if requested, and have no pseudo-header fields") {
    outbound::received to;
    for (outbound::received* wanted : {&to, static_cast<outbound::received*>(nullptr)}) {
        outbound::h2::response_fields fields;
        fields.begin(outbound::h2::section::trailers, wanted, {100, 9, 60});
        add_to(fields, "x-sum", "7");
        add_to(fields, "content-length", "9");
        CHECK(fields.finish() == nullptr);
        CHECK_FALSE(fields.has_length());
        add_to(fields, ":status", "200");
        CHECK(std::string_view(fields.finish()) == "unexpected pseudo-header field");
    }
    CHECK(to.head.field_count == 2);
    CHECK(to.field("x-sum") == "7");
}
