// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::openapi {

/// Scripts and styles of the page, in static storage.
struct renderer_files {
    std::string_view script, style;
};

/// Returns the files that the build has found, see cmake/swagger_ui.cmake.
/// Both are empty if the build has found no files.
renderer_files renderer() noexcept;

}  // namespace apus::openapi
