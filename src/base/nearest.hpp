// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace apus::base {

/// Returns the candidate with the least edit distance to `word`; empty if no candidate is near.
/// Near means a distance of 1, or at most a third of the length of `word`. Takes time proportional to the length of
/// `word` times the total length of the candidates.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace apus::base
