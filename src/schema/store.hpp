// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

namespace apus::schema {

/// Stores a value at the address of an object of its type.
template <class T>
void store(void* to, T value) noexcept {
    std::memcpy(to, &value, sizeof value);
}

/// Stores an integer of `width` bytes, whose range includes `value`.
inline void store_integer(void* to, unsigned width, std::uint64_t value) noexcept {
    switch (width) {
        case 1: return store(to, static_cast<std::uint8_t>(value));
        case 2: return store(to, static_cast<std::uint16_t>(value));
        case 4: return store(to, static_cast<std::uint32_t>(value));
        default: return store(to, value);
    }
}

}  // namespace apus::schema
