// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/packaging/libraries.hpp"
#include "cli/packaging/product.hpp"
#include "cli/packaging/tree.hpp"

namespace apus::cli::packaging {

/// Each makes one package of what is staged, as a file in `work/artefacts`, and gives its path. `work` is a folder
/// of the run's own on the disk that the package will be on. The same input gives the same bytes.
fs::path make_tar(const product& of, const tree& staged, const fs::path& work);
fs::path make_deb(const product& of, const tree& staged, const fs::path& work);
fs::path make_rpm(const product& of, const tree& staged, const fs::path& work);

/// An image, and the distribution's packages that are in it besides those of the program's shared libraries.
struct image {
    fs::path file;
    std::vector<part> packages;
};

/// `base` is "scratch" (the shared libraries that the program needs) or "debian" (packages, by mmdebstrap).
image make_oci(const product& of, const fs::path& work, std::string_view base);

}  // namespace apus::cli::packaging
