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

/// The environment of a process, as `environ`: "NAME=value", and null at the end. Null: empty.
using variables = const char* const*;

/// Returns the value of a variable. Points into `all`.
std::optional<std::string_view> find_variable(variables all, std::string_view name);

/// Puts the values of credentials and variables into `to`.
/// Appends sentences about invalid ones to `problems`. Variables override credentials, and both override values that
/// are present.
void read_environment(variables all, std::span<const setting> settings, node& to, std::vector<std::string>& problems);

/// Returns a sentence for each variable with the prefix that is almost the name of a setting.
std::vector<std::string> misspelt_variables(variables all, std::string_view prefix, std::span<const setting> settings);

/// Puts a value into `to`, in tables that are created if they are missing.
void put_setting(node& to, const setting& of, node value);

}  // namespace apus::configuration
