// SPDX-License-Identifier: Apache-2.0
#include "redis/key_slot.hpp"

#include <array>

namespace apus::redis {
namespace {

// CRC-16/XMODEM: polynomial 0x1021, initial value 0.
constexpr auto crc_table = [] {
    std::array<std::uint16_t, 256> made{};
    for (unsigned i = 0; i < made.size(); ++i) {
        unsigned crc = i << 8U;
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ 0x1021U : crc << 1U;
        made[i] = static_cast<std::uint16_t>(crc);
    }
    return made;
}();

}  // namespace

std::string_view hashed_part(std::string_view key) noexcept {
    const auto open = key.find('{');
    if (open == key.npos) return key;
    const auto close = key.find('}', open + 1);
    return close == key.npos || close == open + 1 ? key : key.substr(open + 1, close - open - 1);
}

std::uint16_t slot_of_key(std::string_view key) noexcept {
    unsigned crc = 0;
    for (const char c : hashed_part(key))
        crc = ((crc << 8U) & 0xffffU) ^ crc_table[(crc >> 8U) ^ static_cast<unsigned char>(c)];
    return static_cast<std::uint16_t>(crc % slots);
}

}  // namespace apus::redis
