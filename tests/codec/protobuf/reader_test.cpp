// SPDX-License-Identifier: Apache-2.0
#include "codec/protobuf/reader.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

using namespace apus::codec::protobuf;

// Returns the fields as text, such as "1:5 2:`ab`", followed by "invalid" if the message is.
std::string shown(std::string_view message) {
    std::string all;
    field_reader reader(message);
    field_reader::field one;
    field_reader::outcome is{};
    while ((is = reader.next(one)) == field_reader::outcome::field) {
        all += all.empty() ? "" : " ";
        all += std::to_string(one.number) + ":";
        all += one.type == wire_type::sized ? "`" + std::string(one.bytes) + "`" : std::to_string(one.value);
    }
    if (is == field_reader::outcome::invalid) all += all.empty() ? "invalid" : " invalid";
    return all;
}

}  // namespace

TEST_CASE("the reader reads what the writer writes") {
    std::string message;
    append_unsigned(message, 1, 300);
    append_signed(message, 2, -1);
    append_bytes(message, 3, "text");
    append_fixed32(message, 4, 0x80000001);
    append_fixed64(message, (1U << 29U) - 1, ~std::uint64_t{0});
    append_bytes(message, 5, "");
    CHECK(shown(message) == "1:300 2:18446744073709551615 3:`text` 4:2147483649 536870911:18446744073709551615 5:``");
    CHECK(shown("").empty());
}

TEST_CASE("invalid messages are refused") {
    using namespace std::string_view_literals;
    constexpr std::string_view invalid[] = {
        "\x08"sv,                                              // no value
        "\x08\x80"sv,                                          // a truncated varint
        "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"sv,      // 65 bits
        "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv,  // 11 bytes
        "\x0a\x02x"sv,                                         // a truncated text
        "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x"sv,     // a size of 2^64 - 1
        "\x0d\0\0\0"sv,
        "\x09\0\0\0\0\0\0\0"sv,  // truncated numbers
        "\0\0"sv,                // number 0
        "\x0b"sv,
        "\x0c"sv,
        "\x0e"sv,
        "\x0f"sv,                    // groups, and types that are not defined
        "\x80\x80\x80\x80\x10\0"sv,  // number 2^29
    };
    for (const auto message : invalid) CHECK(shown(message) == "invalid");
    CHECK(shown("\x08\x05\x08"sv) == "1:5 invalid");
}
