// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::work {

/// For the command, as Ninja shows it, with which clang failed to compile a source by means of a precompiled header:
/// one that says what is wrong with that source from its headers themselves, and makes nothing. Clang does not look for
/// what a misspelt member may have been in precompiled classes. Empty for every other command.
std::vector<std::string> command_without_precompiled(std::string_view command);

}  // namespace apus::cli::work
