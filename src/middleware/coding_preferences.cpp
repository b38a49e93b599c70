// SPDX-License-Identifier: Apache-2.0
#include "middleware/coding_preferences.hpp"

#include "codec/fields/quality_list.hpp"
#include "compression/coding.hpp"

#include <utility>

namespace apus::middleware {

void coding_preferences::accept(std::string_view line) noexcept {
    codec::fields::weighted item;
    while (codec::fields::next_weighted(line, item)) {
        const auto coding = compression::coding_of(item.value);
        if (!coding && item.value != "*") continue;
        int& weight = coding ? weight_[std::to_underlying(*coding)] : others_;
        if (weight == unsaid) weight = static_cast<int>(item.weight);
    }
}

content_coding coding_preferences::best(std::span<const content_coding> preferred) const noexcept {
    content_coding found = content_coding::identity;
    // The identity coding is acceptable unless the client excludes it. If the client lists other codings, and identity
    // without a weight, the other codings are preferred.
    int most = weight_[std::to_underlying(content_coding::identity)];
    if (most < 0) most = 0;
    bool identity = true;
    for (const auto coding : preferred) {
        if (coding == content_coding::identity) continue;
        int weight = weight_[std::to_underlying(coding)];
        if (weight == unsaid) weight = others_;
        if (weight <= 0 || (identity ? weight < most : weight <= most)) continue;
        found = coding;
        most = weight;
        identity = false;
    }
    return found;
}

}  // namespace apus::middleware
