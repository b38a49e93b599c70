// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/packaging/product.hpp"

namespace apus::cli::packaging {

/// Returns shell completion scripts for the program's options.
/// The scripts run the program with --help, so that they also complete options that a project adds.
std::string bash_completion(const product& of);
std::string zsh_completion(const product& of);
std::string fish_completion(const product& of);

}  // namespace apus::cli::packaging
