// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::openapi {

/// What the page is made with in a browser. Of static storage.
struct renderer_files {
    std::string_view script, style;
};

/// As the build has found it, see cmake/swagger_ui.cmake; both are empty if it has not.
renderer_files renderer() noexcept;

}  // namespace apus::openapi
