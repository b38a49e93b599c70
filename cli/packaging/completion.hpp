// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// Scripts with which shells complete the program's options. They ask the program itself, by --help, so that those
/// that a
/// project adds are among them.
std::string bash_completion(const product& of);
std::string zsh_completion(const product& of);
std::string fish_completion(const product& of);

}  // namespace apus::cli::packaging
