// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace apus::base {

/// Returns the candidate with the least edit distance to `word`, at most a third of its length.
/// Empty if there is none. Takes time proportional to the product of the lengths.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace apus::base
