// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configuration/node.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace apus::configuration {

/// Parses a text of TOML 1.0. `file` is its name, for messages and origins.
/// An error is one sentence with line and column, and contains no value of the file.
std::expected<node, std::string> read_toml(std::string_view text, const std::string& file);

}  // namespace apus::configuration
