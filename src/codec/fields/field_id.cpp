// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/field_id.hpp"

#include "codec/fields/field_names.hpp"

#include <array>
#include <cstddef>

namespace apus::codec::fields {
namespace {

// Perfect hash of the field names. Its factor is searched at compile time.
constexpr unsigned slot_bits = 10;

constexpr std::uint32_t slot_of(std::string_view name, std::uint32_t factor) noexcept {
    const auto byte = [name](std::size_t at) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(name[at]));
    };
    const std::uint32_t key = byte(0) | byte(name.size() / 2) << 8 | byte(name.size() - 1) << 16 |
                              static_cast<std::uint32_t>(name.size()) << 24;
    return key * factor >> (32 - slot_bits);
}

using slot_table = std::array<std::uint8_t, 1U << slot_bits>;

constexpr bool fill(slot_table& slots, std::uint32_t factor) {
    slots = {};
    for (std::size_t id = 0; id < field_names.size(); ++id) {
        if (field_names[id].empty()) continue;
        std::uint8_t& slot = slots[slot_of(field_names[id], factor)];
        if (slot != 0) return false;
        slot = static_cast<std::uint8_t>(id);
    }
    return true;
}

struct perfect_hash {
    std::uint32_t factor = 0x9e3779b1;
    slot_table slots{};
    consteval perfect_hash() {
        while (!fill(slots, factor)) factor += 0x6a09e668;
    }
};
constexpr perfect_hash hash;

constexpr std::size_t longest = [] {
    std::size_t most = 0;
    for (const std::string_view name : field_names) most = name.size() > most ? name.size() : most;
    return most;
}();

}  // namespace

std::string_view text_of(field_id id) noexcept { return field_names[static_cast<std::size_t>(id)]; }

field_id find_field_id(std::string_view name) noexcept {
    if (name.empty() || name.size() > longest) return field_id::unknown;
    const std::uint8_t id = hash.slots[slot_of(name, hash.factor)];
    return field_names[id] == name ? static_cast<field_id>(id) : field_id::unknown;
}

}  // namespace apus::codec::fields
