// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <string>
#include <string_view>

namespace apus::http {

/// Returns true if a list field (RFC 9110, 5.6.1) has the member `word`, case-insensitive.
bool lists(std::string_view field, std::string_view word) noexcept;

/// Return all lines of a list field, joined to one list (RFC 9110, 5.3).
std::string whole_field(const request&, std::string_view name);
std::string whole_field(const response&, std::string_view name);

/// Adds a field name to `Vary` (RFC 9110, 12.5.5), unless `Vary` already lists it.
/// Call this function if the response depends on this request field.
void vary(response&, std::string_view field);

}  // namespace apus::http
