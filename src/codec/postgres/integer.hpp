// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace apus::codec::postgres {

/// Reads an integer in network byte order.
template <class T>
T load(const char* from) noexcept {
    std::make_unsigned_t<T> bits;
    std::memcpy(&bits, from, sizeof bits);
    if constexpr (std::endian::native == std::endian::little && sizeof(T) > 1) bits = std::byteswap(bits);
    return static_cast<T>(bits);
}

/// Writes an integer in network byte order.
template <class T>
void store(char* to, T value) noexcept {
    auto bits = static_cast<std::make_unsigned_t<T>>(value);
    if constexpr (std::endian::native == std::endian::little && sizeof(T) > 1) bits = std::byteswap(bits);
    std::memcpy(to, &bits, sizeof bits);
}

/// Appends an integer in network byte order.
template <class T>
void append(std::string& to, T value) {
    char bytes[sizeof(T)];
    store(bytes, value);
    to.append(bytes, sizeof bytes);
}

}  // namespace apus::codec::postgres
