// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configuration/node.hpp"
#include "configuration/settings.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::configuration {

/// The environment of a process, in the format of `environ`: "NAME=value", and null at the end.
/// A null pointer is an empty environment.
using variables = const char* const*;

/// Returns the value of a variable. Points into `all`.
std::optional<std::string_view> find_variable(variables all, std::string_view name);

/// Puts the values of credentials and environment variables into `to`.
/// Appends a sentence to `problems` for each invalid value. Variables override credentials, and both override values
/// that are present in `to`.
void read_environment(variables all, std::span<const setting> settings, node& to, std::vector<std::string>& problems);

/// Returns a sentence for each variable with this prefix whose name resembles that of a setting.
std::vector<std::string> misspelt_variables(variables all, std::string_view prefix, std::span<const setting> settings);

/// Puts the value of a setting into `to`. Creates missing tables.
void put_setting(node& to, const setting& of, node value);

}  // namespace apus::configuration
