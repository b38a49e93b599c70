// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/dependencies/lock.hpp"

namespace apus::cli::dependencies {

/// A component of a bill of materials. Empty members are unknown.
struct component {
    std::string reference;  ///< Unique id in the bill, to which other components refer.
    std::string name;
    std::string version{};
    std::string description{};
    std::string license{};  ///< An SPDX expression, or free text.
    std::string sha256{};
    std::string url{};                 ///< A package URL (https://github.com/package-url/purl-spec).
    std::vector<std::string> needs{};  ///< References of direct dependencies.
    std::vector<std::pair<std::string, std::string>> files{};  ///< Path and SHA-256 of each file in use.
};

/// Returns a component for each package of a lock, in the order of the lock.
std::vector<component> components_of(const lock& all);

/// Returns the references of the project's direct dependencies.
std::vector<std::string> direct_references(const lock& all);

/// Returns a component for a distribution package, given its name in dpkg.
/// If `architecture` is set, the package is an installed binary package, whose license is read from its copyright file.
component distribution_package(const std::string& name, const std::string& version, const std::string& architecture);

/// Returns the component of Apus, which every program of a project links.
component apus_component(const std::string& version);

}  // namespace apus::cli::dependencies
