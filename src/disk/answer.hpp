// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk/served_file.hpp"

#include <apus/http.hpp>

namespace apus::disk {

constexpr std::size_t max_parts = 16;  ///< A Range field with more ranges is ignored.

/// Writes the response for a file to a GET or HEAD request into `out`, a newly created response.
/// The status is 200 with the whole file, 206 with ranges of it, 304, 412 or 416. The response shares ownership of the
/// open file.
void answer_with(const served_file&, request&, response& out);

}  // namespace apus::disk
