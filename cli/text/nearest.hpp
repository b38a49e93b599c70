// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace apus::cli::text {

/// Returns the candidate with the least edit distance to `word`, or an empty string.
/// The distance is at most a third of the length of `word`.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// Returns "did you mean `x`?", or an empty string.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace apus::cli::text
