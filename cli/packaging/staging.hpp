// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/packaging/product.hpp"
#include "cli/packaging/tree.hpp"

namespace apus::cli::packaging {

/// Where a distribution has what stands elsewhere in others: units, and completions of zsh.
enum class family {
    debian,
    fedora
};

/// All that packages of any format put into a system: the program, its unit, user, folders, configuration,
/// completions, manual
/// and papers, and the manifest's own files. Throws E0703 for a file that the manifest names and that is not there.
tree staged(const product& of, family where);

/// The same without what only systemd and readers of manuals use: what an image has.
tree staged_for_image(const product& of);

}  // namespace apus::cli::packaging
