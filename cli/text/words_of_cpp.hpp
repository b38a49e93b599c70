// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::cli::text {

/// Whether this cannot be a namespace of a project, or would hide one that every source has.
bool is_taken_by_cpp(std::string_view name);

}  // namespace apus::cli::text
