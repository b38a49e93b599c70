// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace apus::http {

/// Whether a response of this status has a body at all (RFC 9110, 6.4.1).
constexpr bool may_have_body(int status) noexcept { return status >= 200 && status != 204 && status != 304; }

/// Final, and of three digits: anything else is a handler's mistake.
constexpr bool is_final(int status) noexcept { return status >= 200 && status <= 599; }

}  // namespace apus::http
