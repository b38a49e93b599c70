// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/dependencies/lock.hpp"

namespace apus::cli::dependencies {

/// Result of looking up a dependency in a source: a package with its dependencies, or an error.
struct offer {
    std::optional<locked> taken{};
    std::vector<locked> needed{};
    std::string reason{};   ///< Why there is no package, such as "the system has 9.1.0 (libfmt-dev)".
    std::string package{};  ///< A package of the distribution that could be installed; empty: none.
};

}  // namespace apus::cli::dependencies
