// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::cli::text {

/// Returns true if a name cannot be the namespace of a project.
/// Such names are keywords of C++ and names that Apus or the standard library uses.
bool is_reserved_name(std::string_view name);

}  // namespace apus::cli::text
