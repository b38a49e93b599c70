// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

namespace apus::base {

/// Returns the folder for large temporary files: $TMPDIR, or /var/tmp if TMPDIR is not set.
inline std::string temporary_folder() {
    const char* const given = std::getenv("TMPDIR");
    return given && *given ? given : "/var/tmp";
}

}  // namespace apus::base
