// SPDX-License-Identifier: Apache-2.0
#include "feed/event_id.hpp"
#include "property.hpp"
#include "redis/feed_message.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view bytes(in.data(), size);
    if (const auto read = apus::redis::read_feed_message(bytes))
        apus::fuzz::must(read->room.size() + read->event.data.size() < size, "a message contains its parts");
    if (const auto id = apus::feeds::read_event_id(bytes))
        apus::fuzz::must(apus::feeds::read_event_id(text_of(*id)) == id, "a printed id is read as the same id");
    return 0;
}
