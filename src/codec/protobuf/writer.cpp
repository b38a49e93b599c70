// SPDX-License-Identifier: Apache-2.0
#include "codec/protobuf/writer.hpp"

#include <bit>
#include <cstring>

namespace apus::codec::protobuf {
namespace {

void append_tag(std::string& to, std::uint32_t field, wire_type type) {
    append_varint(to, std::uint64_t{field} << 3U | static_cast<std::uint64_t>(type));
}

// Appends a number in little-endian byte order.
template <class Number>
void append_number(std::string& to, Number value) {
    if constexpr (std::endian::native == std::endian::big) value = std::byteswap(value);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    to.append(bytes, sizeof bytes);
}

}  // namespace

void append_varint(std::string& to, std::uint64_t value) {
    constexpr std::size_t longest = 10;
    char bytes[longest];
    to.append(bytes, static_cast<std::size_t>(write_varint(bytes, value) - bytes));
}

void append_head(std::string& to, std::uint32_t field, std::size_t size) {
    append_tag(to, field, wire_type::sized);
    append_varint(to, size);
}

void append_bytes(std::string& to, std::uint32_t field, std::string_view value) {
    append_head(to, field, value.size());
    to += value;
}

void append_unsigned(std::string& to, std::uint32_t field, std::uint64_t value) {
    append_tag(to, field, wire_type::varint);
    append_varint(to, value);
}

void append_signed(std::string& to, std::uint32_t field, std::int64_t value) {
    append_unsigned(to, field, static_cast<std::uint64_t>(value));
}

void append_fixed32(std::string& to, std::uint32_t field, std::uint32_t value) {
    append_tag(to, field, wire_type::fixed32);
    append_number(to, value);
}

void append_fixed64(std::string& to, std::uint32_t field, std::uint64_t value) {
    append_tag(to, field, wire_type::fixed64);
    append_number(to, value);
}

void append_double(std::string& to, std::uint32_t field, double value) {
    append_fixed64(to, field, std::bit_cast<std::uint64_t>(value));
}

}  // namespace apus::codec::protobuf
