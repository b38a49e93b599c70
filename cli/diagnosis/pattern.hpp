// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::cli::diagnosis {

/// Captures of a pattern, by name. Views into the matched text and into the pattern.
using captures = std::vector<std::pair<std::string_view, std::string_view>>;

/// Matches all of `text` against `pattern`.
/// `{name}` matches one or more characters, and `*` matches zero or more characters. Both match as few characters as
/// possible. Other characters match themselves. Never backtracks: the time is at most proportional to the product of
/// the two lengths.
std::optional<captures> match(std::string_view pattern, std::string_view text);

/// Replaces each `{name}` in `text` by its capture. Keeps a `{name}` without a capture.
std::string fill(std::string_view text, const captures&);

/// Returns the capture with this name, or an empty string.
std::string_view find(const captures&, std::string_view name);

}  // namespace apus::cli::diagnosis
