// SPDX-License-Identifier: Apache-2.0
#include "middleware/coding_preferences.hpp"

#include "codec/fields/quality_list.hpp"
#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using enum apus::content_coding;
    using apus::codec::fields::coding_weight;
    using apus::fuzz::must;
    constexpr apus::content_coding preferred[] = {zstd, br, gzip};
    const std::vector<char> in(data, data + size);
    const std::string_view line(in.data(), size);
    apus::middleware::coding_preferences choice;
    choice.accept(line);
    const auto best = choice.best(preferred);
    must(best != deflate, "a coding that is not offered is not selected");
    if (best == identity || line.contains("x-") || line.contains("X-")) return 0;
    const auto weight = coding_weight(line, apus::coding_name(best));
    must(weight > 0, "the selected coding is acceptable");
    for (const auto other : preferred)
        must(coding_weight(line, apus::coding_name(other)) <= weight, "the selected coding has the highest weight");
    return 0;
}
