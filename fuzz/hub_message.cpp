// SPDX-License-Identifier: Apache-2.0
#include "redis/hub_message.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view bytes(in.data(), size);
    if (const auto read = apus::redis::read_hub_message(bytes))
        apus::fuzz::must(apus::redis::to_bytes(*read) == bytes, "a parsed message is written as the same bytes");
    return 0;
}
