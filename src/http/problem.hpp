// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <string_view>

namespace apus::http {

/// Creates a response with a problem document (RFC 9457).
/// Content-Type is application/problem+json. Example of a body: `{"status":404,"title":"Not Found","detail":"..."}`.
/// `detail` may hold any bytes; if empty, it is omitted.
response problem(int status, std::string_view detail);

/// Creates the problem document of an error, with its type, title, members and fields.
/// Omits the detail if clients must not see it (error.hpp).
response problem(const error&);

/// Creates an error response whose detail is visible to clients.
/// `service::add_error_body` generates its body.
response error_answer(int status, std::string_view detail);

/// Sets the body of an error response to its problem document.
/// Keeps existing fields. If memory is exhausted, the response has only its status.
void put_problem(response& out) noexcept;

/// Returns true if responses of this status may have a body (RFC 9110, 6.4.1).
constexpr bool may_have_body(int status) noexcept { return status >= 200 && status != 204 && status != 304; }

/// Returns true for valid statuses of a final response. A handler must not set any other status.
constexpr bool is_final(int status) noexcept { return status >= 200 && status <= 599; }

/// Returns true for statuses of a streamed response. 101 begins a tunnel.
constexpr bool may_be_streamed(int status) noexcept { return is_final(status) || status == 101; }

/// Returns the reason phrase of a status code (RFC 9110, 15); "Unknown" for unassigned codes.
std::string_view reason_phrase(int status) noexcept;

}  // namespace apus::http
