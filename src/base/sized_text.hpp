// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Numbers and texts in stored bytes. Numbers are little-endian on every machine.

namespace apus::base {

/// Appends the lowest `bytes` bytes of a number.
inline void put_number(std::string& to, std::uint64_t n, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) to += static_cast<char>(n >> (8 * i) & 0xff);
}

/// Removes a number of `bytes` bytes from the front. `from` must have at least `bytes` bytes.
inline std::uint64_t take_number(std::string_view& from, unsigned bytes) noexcept {
    std::uint64_t n = 0;
    for (unsigned i = 0; i < bytes; ++i) n |= std::uint64_t{static_cast<unsigned char>(from[i])} << (8 * i);
    from.remove_prefix(bytes);
    return n;
}

/// Appends the size of a text, in `size_bytes` bytes, and the text.
inline void put_text(std::string& to, std::string_view text, unsigned size_bytes) {
    put_number(to, text.size(), size_bytes);
    to += text;
}

/// Removes a text from the front, in the format of `put_text`.
/// Returns nullopt if the text is incomplete.
inline std::optional<std::string_view> take_text(std::string_view& from, unsigned size_bytes) noexcept {
    if (from.size() < size_bytes) return std::nullopt;
    const std::uint64_t size = take_number(from, size_bytes);
    if (from.size() < size) return std::nullopt;
    const std::string_view text = from.substr(0, size);
    from.remove_prefix(size);
    return text;
}

}  // namespace apus::base
