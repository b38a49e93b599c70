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
    must(made.size() <= 3, "no more is told than was asked for");
    for (const explanation& each : made) {
        const std::string shown = text_of(each);
        must(!each.what.empty() && !each.rule.empty(), "something is said");
        must(std::ranges::count(shown, '\n') <= 3, "in three lines");
        must(std::ranges::none_of(shown, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n'; }),
             "nothing reaches the terminal that could steer it");
    }
    return 0;
}
