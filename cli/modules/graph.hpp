// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/modules/module.hpp"

namespace apus::cli::modules {

/// Returns one line per module, such as "auth -> mail, users".
std::string as_text(const std::vector<app_module>& all);

/// Returns the graph in Graphviz's DOT language.
std::string as_dot(const std::vector<app_module>& all);

/// Returns a JSON array of objects with `name`, `summary`, `prefix`, `folder`, `needs`, `exports`,
/// `migrations` and `tests`.
std::string as_json(const std::filesystem::path& root, const std::vector<app_module>& all);

/// Returns a drawing with each module above the modules that it needs.
/// The output is deterministic. Arrows that belong to cycles are red.
std::string as_svg(const std::vector<app_module>& all);

/// Returns the layer of each module, in the order of `all`.
/// A module without needs is in layer 0. Any other module is one layer above the highest module that it needs. Ignores
/// needs that close a cycle.
std::vector<std::size_t> layers_of(const std::vector<app_module>& all);

}  // namespace apus::cli::modules
