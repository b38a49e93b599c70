// SPDX-License-Identifier: Apache-2.0
#include "cli/text/nearest.hpp"

#include "base/nearest.hpp"

namespace apus::cli::text {

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
    return base::nearest(word, candidates);
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
    const std::string_view best = nearest(word, candidates);
    return best.empty() ? std::string() : "did you mean `" + std::string(best) + "`?";
}

}  // namespace apus::cli::text
