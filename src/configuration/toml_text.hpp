// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>
#include <apus/json_value.hpp>

#include <string>
#include <string_view>

namespace apus::configuration {

/// Returns a value as TOML on one line; empty for null, which TOML cannot express.
std::string toml_text(const json_value&);

/// Returns a key as TOML, in quotes if needed.
std::string toml_key(std::string_view name);

/// Returns the dotted key of a JSON Pointer.
std::string toml_keys(std::string_view pointer);

/// Returns a value of a type as TOML for display. Secrets and passwords in URLs are masked.
/// Empty for an empty optional, and for values that TOML cannot express.
std::string shown_value(const schema::type&, const void* value);

}  // namespace apus::configuration
