// SPDX-License-Identifier: Apache-2.0
#include "postgres/encode.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace apus;
using namespace std::string_literals;
using postgres::oid;
using sql::value;

namespace {

value of_kind(sql::value_kind kind, std::int64_t n) {
    value v = value::of(n);
    v.kind = kind;
    return v;
}

/// Returns the format and the bytes of the parameter as they are sent, or the fault.
std::string sent(const value& v, oid type) {
    std::string bytes;
    codec::postgres::bind_writer to(bytes, "", 1);
    const std::size_t head = bytes.size();
    const std::string fault = postgres::append_values(to, std::vector{v}, std::vector{type});
    if (!fault.empty()) return fault;
    return (bytes[head - 3] ? "binary " : "text ") + bytes.substr(head);
}

}  // namespace

TEST_CASE("parameters are sent in binary format if the server's type is known, otherwise as text") {
    CHECK(sent(value::of(7), oid::int4) == "binary \0\0\0\4\0\0\0\7"s);
    CHECK(sent(value::of(-1), oid::int2) == "binary \0\0\0\2\xff\xff"s);
    CHECK(sent(value::of(-1), oid::numeric) == "text \0\0\0\2-1"s);
    CHECK(sent(value::of_text("a'b"), oid::text) == "binary \0\0\0\3a'b"s);
    CHECK(sent(value::of_text("1"), oid::int4) == "text \0\0\0\0011"s);
    CHECK(sent(of_kind(sql::value_kind::boolean, 1), oid::boolean) == "binary \0\0\0\1\1"s);
    CHECK(sent(of_kind(sql::value_kind::boolean, 1), oid::text) == "text \0\0\0\0011"s);
    CHECK(sent({}, oid::int4) == "text \xff\xff\xff\xff"s);
    CHECK(sent(of_kind(sql::value_kind::time, 946'684'800'000'000), oid::timestamptz) ==
          "binary \0\0\0\x8\0\0\0\0\0\0\0\0"s);
    CHECK(sent(value::of(40'000), oid::int2) == "parameter $1 is out of range");
    CHECK(sent(of_kind(sql::value_kind::natural, -1), oid::int8) == "parameter $1 is out of range");
}

TEST_CASE("rows of COPY: separators and backslashes of values are escaped") {
    std::string to;
    postgres::append_copy_row(to, std::vector{value::of(1), value(), value::of_text("a\tb\nc\\d\r")});
    CHECK(to == "1\t\\N\ta\\tb\\nc\\\\d\\r\n");
}
