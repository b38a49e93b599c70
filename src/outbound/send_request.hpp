// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/exchange.hpp"

#include <memory>

namespace apus::outbound {

/// Sends a request with retries and redirects, and receives the head of the final response.
/// Retries only if repeating the request is safe. `due` is in milliseconds of the loop's clock.
task<std::unique_ptr<exchange>> send_request(pool&, detail::asked&, std::uint64_t due);

/// Whether the method is idempotent (RFC 9110, 9.2.2).
bool is_idempotent(std::string_view verb) noexcept;

}  // namespace apus::outbound
