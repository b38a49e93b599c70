// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configuration/arguments.hpp"
#include "configuration/environment.hpp"
#include "configuration/node.hpp"
#include "configuration/settings.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::configuration {

/// Inputs of a configuration. The viewed memory must outlive the functions that use this struct.
struct sources {
    std::string file = {};    ///< Path of the TOML file; empty if the program reads no file.
    bool must_exist = false;  ///< Whether a missing file is an error.
    variables environment = nullptr;
    const arguments* command_line = nullptr;  ///< May be null.
};

/// Reads all sources into one tree; later sources override earlier sources.
/// Appends a sentence to `problems` for each source, variable and option that cannot be read.
node read_sources(const sources&, std::span<const setting>, std::vector<std::string>& problems);

/// Fills a struct from a tree, and appends a sentence to `problems` for each violation of its type.
/// `value` is an object with its initial values. `path` is the path of the struct: empty, or "server".
void fill(const schema::type& object, void* value, node tree, std::string_view path, std::span<const setting>,
          std::string_view file, std::vector<std::string>& problems);

}  // namespace apus::configuration
