// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <string_view>

namespace apus::http {

/// A problem document (RFC 9457): `{"status":404,"title":"Not Found","detail":"..."}` as
/// application/problem+json. `detail` may hold any bytes; an empty one is left out.
response problem(int status, std::string_view detail);

/// The same for an error, with its type, title, members and fields. Its detail is left out where clients do not
/// see it (error.hpp).
response problem(const error&);

/// An answer that is an error, whose detail clients see. `service::give_body` makes its body.
response error_answer(int status, std::string_view detail);

/// Makes the problem document of an answer that is an error. Fields that it has already stay. Without memory for it
/// the answer has a status only.
void put_problem(response& out) noexcept;

/// The reason phrase of a status code (RFC 9110, 15); "Unknown" for one that has none.
std::string_view reason_phrase(int status) noexcept;

}  // namespace apus::http
