// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/packaging/libraries.hpp"
#include "cli/packaging/product.hpp"
#include "cli/packaging/tree.hpp"

namespace apus::cli::packaging {

/// Each function creates one package from the staged files in `work/artefacts`, and returns its
/// path. `work` is a private folder on the file system of the output. Equal input gives equal bytes.
fs::path make_tar(const product& of, const tree& staged, const fs::path& work);
fs::path make_deb(const product& of, const tree& staged, const fs::path& work);
fs::path make_rpm(const product& of, const tree& staged, const fs::path& work);

/// An image, and the distribution packages it contains in addition to those of shared libraries.
struct image {
    fs::path file;
    std::vector<part> packages;
};

/// `base`: "scratch" (only the program's shared libraries) or "debian" (packages, by mmdebstrap).
image make_oci(const product& of, const fs::path& work, std::string_view base);

}  // namespace apus::cli::packaging
