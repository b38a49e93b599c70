// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/dependencies/resolver.hpp"

namespace apus::cli::dependencies {

/// Adds a dependency to apus.toml, apus.lock and cmake/dependencies.cmake.
/// Changes none of these files on failure.
void add(const manifest::manifest& project, manifest::dependency wanted, modes how, terminal::shell& shell);

/// Removes dependencies from the files that `add` changes. Throws E0406 for an unknown name.
void remove(const manifest::manifest& project, const std::vector<std::string>& names, modes how,
            terminal::shell& shell);

/// Resolves these dependencies again, or all if `names` is empty, and prints the changes.
void update(const manifest::manifest& project, std::vector<std::string> names, modes how, terminal::shell& shell);

/// Brings apus.lock and the files derived from it up to date with apus.toml.
/// Keeps up-to-date entries. With `frozen`, throws E0403 instead of writing.
void relock(const manifest::manifest& project, modes how, terminal::shell& shell);

/// Updates the dependencies before a build.
/// Runs `relock` and prints the reason if apus.lock is out of date or a derived file is missing. Otherwise, reads only
/// three files, and does not start a program.
void prepare(const manifest::manifest& project, modes how, terminal::shell& shell);

}  // namespace apus::cli::dependencies
