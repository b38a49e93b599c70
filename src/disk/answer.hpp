// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk/served_file.hpp"

#include <apus/http.hpp>

namespace apus::disk {

constexpr std::size_t max_parts = 16;  ///< A Range field with more ranges is ignored.

/// Writes the response for a file to a GET or HEAD request into `out`, a newly created response.
/// The response has the whole file, ranges (206), 304, 412 or 416. It keeps the parts of the file that it needs.
void answer_with(const served_file&, request&, response& out);

}  // namespace apus::disk
