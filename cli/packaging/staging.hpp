// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/packaging/product.hpp"
#include "cli/packaging/tree.hpp"

namespace apus::cli::packaging {

/// Distribution families with different paths for units and zsh completions.
enum class family {
    debian,
    fedora
};

/// Returns all files that a package installs.
/// These are the program, unit, user, folders, configuration, completions, manual page, licenses, and files listed in
/// the manifest. Throws E0703 if a listed file is missing.
tree staged(const product& of, family where);

/// Returns the files of an image: those of `staged` without unit, completions and manual page.
tree staged_for_image(const product& of);

}  // namespace apus::cli::packaging
