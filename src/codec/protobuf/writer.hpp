// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// Writes fields of Protocol Buffers messages to memory or a string of the caller, in the order of the calls. Field
// numbers are from 1 to 2^29 - 1.

namespace apus::codec::protobuf {

enum class wire_type : std::uint8_t {
    varint = 0,
    fixed64 = 1,
    sized = 2,
    fixed32 = 5
};

/// Returns the number of bytes of a base-128 varint.
constexpr std::size_t varint_size(std::uint64_t value) noexcept {
    std::size_t size = 1;
    while (value >>= 7U) ++size;
    return size;
}

/// Encodes a number of type `sint32` or `sint64`, for functions that take unsigned numbers.
constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
    return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63);
}

/// Returns the number of bytes that `append_bytes` appends for a value of this size.
constexpr std::size_t bytes_size(std::uint32_t field, std::size_t size) noexcept {
    return varint_size(std::uint64_t{field} << 3U) + varint_size(size) + size;
}

/// Writes a base-128 varint to memory with room for `varint_size(value)` bytes. Returns its end.
constexpr char* write_varint(char* to, std::uint64_t value) noexcept {
    for (; value >= 0x80; value >>= 7U) *to++ = static_cast<char>(value | 0x80);
    *to++ = static_cast<char>(value);
    return to;
}

/// Writes fields to memory whose size was calculated before.
/// This costs less than appending each part to a string.
class field_writer {
public:
    explicit field_writer(char* to) noexcept : at_(to) {}

    void varint(std::uint64_t value) noexcept { at_ = write_varint(at_, value); }
    void tag(std::uint32_t field, wire_type type) noexcept {
        varint(std::uint64_t{field} << 3U | static_cast<std::uint64_t>(type));
    }
    void head(std::uint32_t field, std::size_t size) noexcept {
        tag(field, wire_type::sized);
        varint(size);
    }
    void raw(std::string_view fields) noexcept { at_ = std::copy(fields.begin(), fields.end(), at_); }
    void bytes(std::uint32_t field, std::string_view value) noexcept {
        head(field, value.size());
        raw(value);
    }
    void number(std::uint32_t field, std::uint64_t value) noexcept {
        tag(field, wire_type::varint);
        varint(value);
    }
    void fixed32(std::uint32_t field, std::uint32_t value) noexcept {
        tag(field, wire_type::fixed32);
        little_endian(value);
    }
    void fixed64(std::uint32_t field, std::uint64_t value) noexcept {
        tag(field, wire_type::fixed64);
        little_endian(value);
    }

private:
    template <class Number>
    void little_endian(Number value) noexcept {
        if constexpr (std::endian::native == std::endian::big) value = std::byteswap(value);
        std::memcpy(at_, &value, sizeof value);
        at_ += sizeof value;
    }

    char* at_;
};

void append_varint(std::string& to, std::uint64_t value);

/// Appends the tag of a field and the size of its value.
/// The caller then appends the value: bytes, or a message.
void append_head(std::string& to, std::uint32_t field, std::size_t size);

/// Appends a field of type `string` or `bytes`, or a message that is already encoded.
/// A `string` must be valid UTF-8.
void append_bytes(std::string& to, std::uint32_t field, std::string_view value);

void append_unsigned(std::string& to, std::uint32_t field,
                     std::uint64_t value);                                     ///< `uint32`, `uint64`, `bool`, enums.
void append_signed(std::string& to, std::uint32_t field, std::int64_t value);  ///< `int32`, `int64`.
void append_fixed32(std::string& to, std::uint32_t field, std::uint32_t value);
void append_fixed64(std::string& to, std::uint32_t field, std::uint64_t value);
void append_double(std::string& to, std::uint32_t field, double value);

}  // namespace apus::codec::protobuf
