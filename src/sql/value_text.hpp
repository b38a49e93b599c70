// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/value.hpp"

#include <cstdint>
#include <string>

namespace apus::sql {

/// Formats microseconds since 1970 as "2026-11-22T10:00:00.000000Z".
/// Returns an empty text for years outside 0 to 9999.
std::string time_text(std::int64_t microseconds);

/// Appends a value as JSON: lists as arrays, bytes as a string.
void append_json(std::string& to, const value&);

}  // namespace apus::sql
