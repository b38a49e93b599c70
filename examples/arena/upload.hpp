// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace arena {

/// Adds POST /upload, which returns the size of the body, up to 32 MiB.
void add_upload(apus::app&);

}  // namespace arena
