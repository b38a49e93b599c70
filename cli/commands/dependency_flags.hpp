// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands/arguments.hpp"
#include "cli/dependencies/resolver.hpp"

namespace apus::cli::commands {

inline constexpr option offline_flag{.name = "offline", .summary = "do not access the network"};
inline constexpr option packages_flag{.name = "install-packages",
                                      .summary = "install required system packages with apt-get"};

/// Returns the dependency options of the command line.
inline dependencies::modes modes_of(const arguments& given) {
    if (given.has("offline") && given.has("install-packages"))
        misuse("`--offline` and `--install-packages` exclude each other", given.of());
    return {.offline = given.has("offline"), .packages = given.has("install-packages")};
}

}  // namespace apus::cli::commands
