// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace apus::support {

/// Returns the text of a file of this repository, given its path in the repository.
inline std::string file_text(const std::string& path) {
    std::ifstream in(APUS_SOURCE_DIR "/" + path, std::ios::binary);
    if (!in) throw std::runtime_error("there is no file " + path);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace apus::support
