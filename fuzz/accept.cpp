// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/accept.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using apus::codec::fields::media_weight;
    using apus::fuzz::must;
    const std::vector<char> in(data, data + size);
    const std::string_view field(in.data(), size);
    const auto html = media_weight(field, "text/html");
    const auto level = media_weight(field, "text/html;level=1");
    const auto json = media_weight(field, "application/json");
    must(html.has_value() == json.has_value() && html.has_value() == level.has_value(),
         "the result exists for every media type, or for none of them");
    must(html.value_or(0) <= 1000, "a weight is at most 1000");
    // Of several ranges of the same precedence, the first one applies. So a range before the others determines
    // the result.
    must(media_weight("application/json;q=0.25, " + std::string(field), "application/json") == 250U,
         "the first of two equal ranges determines the weight");
    return 0;
}
