// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/modules/module.hpp"

namespace apus::cli::modules {

/// "auth -> mail, users", a line for each module.
std::string as_text(const std::vector<app_module>& all);

/// The graph in the language of Graphviz.
std::string as_dot(const std::vector<app_module>& all);

/// A list of objects with `name`, `summary`, `prefix`, `folder`, `needs`, `exports`, `migrations` and `tests`.
std::string as_json(const std::filesystem::path& root, const std::vector<app_module>& all);

/// A drawing: what needs nothing is at the bottom, and each module above all that it needs. The same
/// modules give the same bytes. Arrows of cycles are red.
std::string as_svg(const std::vector<app_module>& all);

/// The layer of each module, in the order of `all`: 0 for what needs nothing, else one above the highest
/// that it needs. What closes a cycle is not counted.
std::vector<std::size_t> layers_of(const std::vector<app_module>& all);

}  // namespace apus::cli::modules
