// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/packaging/libraries.hpp"
#include "cli/packaging/product.hpp"
#include "cli/packaging/tree.hpp"

namespace apus::cli::packaging {

/// These functions create a package in `work/artefacts` from the staged files, and return its path.
/// `work` is a private folder on the file system of the output. Equal input gives equal bytes.
fs::path make_tar(const product& of, const tree& staged, const fs::path& work);
fs::path make_deb(const product& of, const tree& staged, const fs::path& work);
fs::path make_rpm(const product& of, const tree& staged, const fs::path& work);

/// An image, and its distribution packages other than the packages of shared libraries.
struct image {
    fs::path file;
    std::vector<part> packages;
};

/// Creates an OCI image.
/// `base` is "scratch" (only the program's shared libraries) or "debian" (packages, installed by mmdebstrap).
image make_oci(const product& of, const fs::path& work, std::string_view base);

}  // namespace apus::cli::packaging
