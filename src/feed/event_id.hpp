// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apus::feeds {

/// Id of an event, `NUMBER-NUMBER`: increases within a room.
struct event_id {
    std::uint64_t time = 0, number = 0;
    auto operator<=>(const event_id&) const = default;
    explicit operator bool() const noexcept { return time != 0 || number != 0; }
};

/// Returns nullopt for any other text, such as a number with a sign or over 64 bits.
std::optional<event_id> read_event_id(std::string_view) noexcept;
std::string text_of(event_id);

}  // namespace apus::feeds
