// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk/served_file.hpp"

#include <apus/http.hpp>

namespace apus::disk {

constexpr std::size_t most_parts = 16;  ///< Of a Range field. One that asks for more gets the whole.

/// Puts what a GET or HEAD request gets of a file into `out`, which nobody has touched: all of it,
/// the parts it asked for (206), 304, 412 or 416. The response keeps what it needs of the file.
void answer_with(const served_file&, request&, response& out);

}  // namespace apus::disk
