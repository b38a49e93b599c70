// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configuration/settings.hpp"

#include <span>
#include <string>
#include <string_view>

namespace apus::configuration {

/// A struct whose settings are listed.
struct page_subject {
    const schema::type& object;
    const void* value;  ///< An object with the initial values; for `show_page`, with the current values.
    std::span<const setting> settings;
};

/// Returns the part of `--help` about settings and the options that all configurations have.
std::string help_page(const page_subject&, std::string_view file, std::string_view prefix);

/// Returns a TOML file with all settings.
/// Comments contain the rules, the environment variable and the initial value of each setting.
std::string example_page(const page_subject&, std::string_view file);

/// Returns the values as TOML, each with its source in a comment.
/// `places` has the source of each setting. Secrets are masked.
std::string show_page(const page_subject&, std::span<const std::string> places);

/// Returns the JSON Schema (2020-12) of the file.
/// `server`: the schema of the table `[server]`, or null.
std::string schema_page(const schema::type& object, const schema::type* server);

}  // namespace apus::configuration
