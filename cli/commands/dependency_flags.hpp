// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands/arguments.hpp"
#include "cli/dependencies/resolver.hpp"

namespace apus::cli::commands {

inline constexpr option offline_flag{.name = "offline", .summary = "fetch nothing"};
inline constexpr option packages_flag{.name = "install-packages",
                                      .summary = "install what it needs of the system, by apt-get"};

/// How a command that looks for dependencies was asked to do it.
inline dependencies::modes modes_of(const arguments& given) {
    if (given.has("offline") && given.has("install-packages"))
        misuse("`--offline` fetches nothing, and `--install-packages` does", given.of());
    return {.offline = given.has("offline"), .packages = given.has("install-packages")};
}

}  // namespace apus::cli::commands
