// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/explanation.hpp"

#include "property.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apus::cli::diagnosis;
    using apus::fuzz::must;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto made = explain(text);
    must(made.size() <= 3, "at most 3 explanations are returned");
    for (const explanation& each : made) {
        const std::string shown = text_of(each);
        must(!each.what.empty() && !each.rule.empty(), "explanations are not empty");
        must(std::ranges::count(shown, '\n') <= 3, "an explanation has at most 3 lines");
        must(std::ranges::none_of(shown, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n'; }),
             "explanations contain no control characters");
    }
    return 0;
}
