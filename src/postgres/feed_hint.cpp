// SPDX-License-Identifier: Apache-2.0
#include "postgres/feed_hint.hpp"

#include "base/ascii.hpp"
#include "feed/event_id.hpp"

#include <string>

namespace apus::postgres {
namespace {

using base::take_word;

bool read_hex(std::string_view digits, std::string& to) {
    if (digits.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const int high = base::hex_value(digits[i]), low = base::hex_value(digits[i + 1]);
        if (high < 0 || low < 0) return false;
        to += static_cast<char>(high * 16 + low);
    }
    return true;
}

}  // namespace

// Format: the version, the id, whether the room had no events before, the room and the token in hexadecimal digits.
std::optional<feed_broker::received> read_feed_hint(std::string_view text) {
    if (take_word(text) != "1") return std::nullopt;
    feed_broker::received made;
    made.event.id = take_word(text);
    const auto first = take_word(text);
    made.first = first == "1";
    // The id of no event: `feed` reads the room, since the event before is not the last known one.
    made.previous = "0-0";
    const auto room = take_word(text), token = take_word(text);
    const bool valid = feeds::read_event_id(made.event.id) && (first == "0" || first == "1") && text.empty();
    if (!valid || !read_hex(room, made.room) || !read_hex(token, made.token)) return std::nullopt;
    return made;
}

}  // namespace apus::postgres
