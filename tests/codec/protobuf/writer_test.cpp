// SPDX-License-Identifier: Apache-2.0
#include "codec/protobuf/writer.hpp"

#include "base/hex.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace apus::codec::protobuf;

// Encoded by the Python packages opentelemetry-proto 1.45.2 and protobuf 7.36.2, as members of AnyValue (int_value = 3,
// bool_value = 2, double_value = 4, string_value = 1), KeyValue and Span.
struct integer {
    std::int64_t value;
    std::string_view hex;
};
constexpr integer integers[] = {
    {0, "1800"},
    {1, "1801"},
    {127, "187f"},
    {128, "188001"},
    {300, "18ac02"},
    {-1, "18ffffffffffffffffff01"},
    {std::numeric_limits<std::int64_t>::max(), "18ffffffffffffffff7f"},
    {std::numeric_limits<std::int64_t>::min(), "1880808080808080808001"},
};

struct real {
    double value;
    std::string_view hex;
};
constexpr real reals[] = {
    {0.0, "210000000000000000"},
    {1.5, "21000000000000f83f"},
    {-std::numeric_limits<double>::infinity(), "21000000000000f0ff"},
};

}  // namespace

TEST_CASE("protobuf: numbers are encoded like the published package does") {
    for (const auto& [value, hex] : integers) {
        std::string to;
        append_signed(to, 3, value);
        CHECK(apus::base::hex(to) == hex);
    }
    for (const auto& [value, hex] : reals) {
        std::string to;
        append_double(to, 4, value);
        CHECK(apus::base::hex(to) == hex);
    }
    std::string to;
    append_unsigned(to, 2, 1);
    append_unsigned(to, 2, 0);
    append_fixed64(to, 7, 0x0123456789abcdef);
    append_fixed32(to, 16, 0x301);
    CHECK(apus::base::hex(to) ==
          "1001"
          "1000"
          "39efcdab8967452301"
          "850101030000");
}

TEST_CASE("protobuf: texts and messages are encoded like the published package does") {
    std::string to;
    append_bytes(to, 1, "gr\u00fc\u00df");
    append_bytes(to, 1, "");
    CHECK(apus::base::hex(to) ==
          "0a066772c3bcc39f"
          "0a00");

    to.clear();
    append_bytes(to, 1, std::string(200, 'x'));
    CHECK(to == "\x0a\xc8\x01" + std::string(200, 'x'));

    to.clear();
    append_bytes(to, 1, "a");
    append_head(to, 2, bytes_size(1, 1));
    append_bytes(to, 1, "b");
    CHECK(apus::base::hex(to) == "0a016112030a0162");
}

TEST_CASE("protobuf: fields are written to memory like they are appended") {
    for (const std::uint32_t field : {1U, 15U, 16U, 2048U})
        for (const std::uint64_t value : {0UL, 127UL, 128UL, ~0UL}) {
            std::string appended;
            append_unsigned(appended, field, value);
            append_fixed32(appended, field, static_cast<std::uint32_t>(value));
            append_fixed64(appended, field, value);
            append_bytes(appended, field, "text");
            append_head(appended, field, 300);
            std::string written(100, 'x');
            field_writer to(written.data());
            to.number(field, value);
            to.fixed32(field, static_cast<std::uint32_t>(value));
            to.fixed64(field, value);
            to.bytes(field, "text");
            to.head(field, 300);
            to.raw("end");
            appended += "end";
            CHECK(written == appended + std::string(written.size() - appended.size(), 'x'));
        }
}

TEST_CASE("protobuf: sizes are those of the encoded fields") {
    for (unsigned bit = 0; bit < 64; ++bit)
        for (const std::uint64_t value : {std::uint64_t{1} << bit, (std::uint64_t{1} << bit) - 1}) {
            std::string to;
            append_varint(to, value);
            CHECK(to.size() == varint_size(value));
        }
    for (const std::uint32_t field : {1U, 15U, 16U, 2047U, 2048U, (1U << 29U) - 1})
        for (const std::size_t size : {0UZ, 1UZ, 127UZ, 128UZ, 16'383UZ, 16'384UZ}) {
            std::string to;
            append_bytes(to, field, std::string(size, 'x'));
            CHECK(to.size() == bytes_size(field, size));
        }
}
