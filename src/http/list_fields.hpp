// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <string>
#include <string_view>

namespace apus::http {

/// Whether one of the members of a list field (RFC 9110, 5.6.1) is `word`, in any case.
bool lists(std::string_view field, std::string_view word) noexcept;

/// What all the lines of a list field say, as one list (RFC 9110, 5.3).
std::string whole_field(const request&, std::string_view name);
std::string whole_field(const response&, std::string_view name);

/// Makes `Vary` name a field that the answer depends on (RFC 9110, 12.5.5), once.
void vary(response&, std::string_view field);

}  // namespace apus::http
