// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/dependencies/cache.hpp"
#include "cli/dependencies/lock.hpp"
#include "cli/dependencies/resolver.hpp"

namespace apus::cli::dependencies {

/// A lock as a tree: what the project asks for, and below each what it needs. What has been shown is not shown
/// twice. With a name only that package; throws E0406 if there is none.
std::string tree_of(const lock& all, const std::string& name);

/// A lock as JSON: a list of its packages, with the keys of apus.lock.
std::string json_of(const lock& all);

/// A package, and a later version that its source has.
struct later {
    locked package;
    std::string latest;
};

std::vector<later> outdated(const manifest::manifest& project, modes how, terminal::shell& shell);
std::string text_of(const std::vector<later>& found, bool json);
std::string text_of(const std::vector<cached>& content, bool json);

/// `text` as a string of JSON.
std::string json_string(std::string_view text);

}  // namespace apus::cli::dependencies
