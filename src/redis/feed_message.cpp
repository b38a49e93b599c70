// SPDX-License-Identifier: Apache-2.0
#include "redis/feed_message.hpp"

#include "base/sized_text.hpp"

#include <utility>

namespace apus::redis {

// Format: the version; '1' if the room had no events before, otherwise '0'; the room, the id of the event before,
// the id, the token and the name of the event, each after its size in four bytes; the data.
std::optional<apus::feed_broker::received> read_feed_message(std::string_view bytes) {
    constexpr std::string_view version = "apus-fd1";
    constexpr unsigned size_bytes = 4;
    if (!bytes.starts_with(version)) return std::nullopt;
    bytes.remove_prefix(version.size());
    if (!bytes.starts_with('0') && !bytes.starts_with('1')) return std::nullopt;
    apus::feed_broker::received made;
    made.first = bytes.front() == '1';
    bytes.remove_prefix(1);
    for (std::string* const to : {&made.room, &made.previous, &made.event.id, &made.token, &made.event.name}) {
        const auto text = base::take_text(bytes, size_bytes);
        if (!text) return std::nullopt;
        *to = *text;
    }
    made.event.data = bytes;
    return made;
}

apus::feed_broker::received read_feed_entry(std::string id, std::vector<std::string> fields) {
    apus::feed_broker::received made;
    made.event.id = std::move(id);
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
        auto& value = fields[i + 1];
        if (fields[i] == "n") made.event.name = std::move(value);
        else if (fields[i] == "d") made.event.data = std::move(value);
        else if (fields[i] == "t") made.token = std::move(value);
        else if (fields[i] == "f") made.first = value == "1";
    }
    return made;
}

}  // namespace apus::redis
