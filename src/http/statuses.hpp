// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace apus::http {

/// Whether a response of this status has a body at all (RFC 9110, 6.4.1).
constexpr bool may_have_body(int status) noexcept { return status >= 200 && status != 204 && status != 304; }

/// Final, and of three digits: anything else is a handler's mistake.
constexpr bool is_final(int status) noexcept { return status >= 200 && status <= 599; }

/// Whether a response that is written piece by piece may have it: 101 hands the connection over.
constexpr bool may_be_streamed(int status) noexcept { return is_final(status) || status == 101; }

}  // namespace apus::http
