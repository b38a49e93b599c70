// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/dependencies/lock.hpp"

namespace apus::cli::dependencies {

/// What a source has for a dependency: a package that can be taken and those that it needs, or why not.
struct offer {
    std::optional<locked> taken{};
    std::vector<locked> needed{};
    std::string why_not{};  ///< "the system has 9.1.0 (libfmt-dev)".
    std::string package{};  ///< The distribution's package that would be it, if it were installed.
};

}  // namespace apus::cli::dependencies
