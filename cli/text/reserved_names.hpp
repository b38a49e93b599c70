// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::cli::text {

/// Returns true if a name cannot be a project's namespace because it is a keyword or a namespace in
/// common use.
bool is_reserved_name(std::string_view name);

}  // namespace apus::cli::text
