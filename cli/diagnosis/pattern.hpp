// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::cli::diagnosis {

/// What a pattern found, by name. Views are into the text that was matched and into the pattern.
using captures = std::vector<std::pair<std::string_view, std::string_view>>;

/// Matches all of `text`. In `pattern`, `{name}` takes one or more characters and `*` any number of
/// them, each as few as will do; everything else stands for itself. Takes time in proportion to the
/// lengths of both, whatever they hold.
std::optional<captures> match(std::string_view pattern, std::string_view text);

/// `text` with each `{name}` replaced by what was captured; a name that was not captured stays.
std::string fill(std::string_view text, const captures&);

/// What was captured by that name, or nothing.
std::string_view find(const captures&, std::string_view name);

}  // namespace apus::cli::diagnosis
