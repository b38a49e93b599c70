// SPDX-License-Identifier: Apache-2.0
#include "feed/event_id.hpp"

#include <charconv>
#include <system_error>

namespace apus::feeds {

std::optional<event_id> read_event_id(std::string_view text) noexcept {
    event_id made;
    const char* const end = text.data() + text.size();
    const auto time = std::from_chars(text.data(), end, made.time);
    if (time.ec != std::errc() || time.ptr == end || *time.ptr != '-') return std::nullopt;
    const auto number = std::from_chars(time.ptr + 1, end, made.number);
    if (number.ec != std::errc() || number.ptr != end) return std::nullopt;
    return made;
}

std::string text_of(event_id of) { return std::to_string(of.time).append("-").append(std::to_string(of.number)); }

}  // namespace apus::feeds
