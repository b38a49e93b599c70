// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/dependencies/cache.hpp"
#include "cli/dependencies/lock.hpp"
#include "cli/dependencies/resolver.hpp"

namespace apus::cli::dependencies {

/// Returns a lock as a tree of dependencies.
/// Contains each subtree once; repetitions are marked by "...". With a name, contains only this package and its
/// dependencies. Throws E0406 if the package is unknown.
std::string tree_of(const lock& all, const std::string& name);

/// Returns a lock as JSON array: name, version, source, license, direct and needs of each package.
std::string json_of(const lock& all);

/// A locked package, and a later version at its source.
struct later {
    locked package;
    std::string latest;
};

std::vector<later> outdated(const manifest::manifest& project, modes how, terminal::shell& shell);
std::string text_of(const std::vector<later>& found, bool json);
std::string text_of(const std::vector<cache_entry>& content, bool json);

/// Returns `text` as a JSON string.
std::string json_string(std::string_view text);

}  // namespace apus::cli::dependencies
