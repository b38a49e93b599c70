// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace apus::cli::text {

/// The candidate that differs least from `word`, by letters put in, left out, changed or swapped:
/// at most a third of them. Empty if there is none.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// "did you mean `x`?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace apus::cli::text
