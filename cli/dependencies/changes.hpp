// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/dependencies/resolver.hpp"

namespace apus::cli::dependencies {

/// Puts a dependency into apus.toml, apus.lock and cmake/dependencies.cmake, or changes nothing.
void add(const manifest::manifest& project, manifest::dependency wanted, modes how, terminal::shell& shell);

/// Takes dependencies out of them. Throws E0406 for a name that is not there.
void remove(const manifest::manifest& project, const std::vector<std::string>& names, modes how,
            terminal::shell& shell);

/// Looks anew for these, or for all if there is none, and says what has changed.
void update(const manifest::manifest& project, std::vector<std::string> names, modes how, terminal::shell& shell);

/// Makes apus.lock and what is written from it what apus.toml asks for; what is right stays. With `frozen`
/// throws E0403 instead of writing.
void relock(const manifest::manifest& project, modes how, terminal::shell& shell);

/// What a build calls first: `relock` if apus.lock is not for this apus.toml or something that is made from it is
/// absent here, saying why. Else no program is run and nothing is read but three files.
void prepare(const manifest::manifest& project, modes how, terminal::shell& shell);

}  // namespace apus::cli::dependencies
