// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace arena {

/// POST /upload: how many bytes of body were read, up to 32 MiB.
void add_upload(apus::app&);

}  // namespace arena
