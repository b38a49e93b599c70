// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <string_view>

namespace apus::http {

/// A problem document (RFC 9457): `{"status":404,"title":"Not Found","detail":"..."}` as
/// application/problem+json. `detail` may hold any bytes; an empty one is left out.
response problem(int status, std::string_view detail);

/// The same for an error. Its detail is left out where clients do not see it (error.hpp).
response problem(const error&);

/// The reason phrase of a status code (RFC 9110, 15); "Unknown" for one that has none.
std::string_view reason_phrase(int status) noexcept;

}  // namespace apus::http
