// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/dependencies/lock.hpp"

namespace apus::cli::dependencies {

/// Result of a search for a dependency in a source: a package with its dependencies, or an error.
struct offer {
    std::optional<locked> taken{};
    std::vector<locked> needed{};
    std::string reason{};   ///< Why no package matches, such as "the system has 9.1.0 (libfmt-dev)".
    std::string package{};  ///< Matching package of the distribution that is not installed; otherwise empty.
};

}  // namespace apus::cli::dependencies
