// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/dependencies/lock.hpp"

namespace apus::cli::dependencies {

/// A part of a program, or the program itself, as bills of materials name it. What is empty is not known.
struct component {
    std::string reference;  ///< By which others name it; no two of a bill have the same.
    std::string name;
    std::string version{};
    std::string description{};
    std::string license{};  ///< An SPDX expression, or other words.
    std::string sha256{};
    std::string url{};                 ///< A package URL (https://github.com/package-url/purl-spec).
    std::vector<std::string> needs{};  ///< References of others.
    std::vector<std::pair<std::string, std::string>> files{};  ///< Those of it that are used: a path, and its SHA-256.
};

/// A component for each package of a lock, in its order.
std::vector<component> components_of(const lock& all);

/// References of the packages that the project itself asks for.
std::vector<std::string> direct_references(const lock& all);

/// A package of this machine's distribution, by the names that dpkg has for it. With an architecture it is a binary
/// package that is installed here, whose licence is looked for.
component distribution_package(const std::string& name, const std::string& version, const std::string& architecture);

/// Apus, which every program of a project is linked with.
component apus_itself(const std::string& version);

}  // namespace apus::cli::dependencies
