// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/nats.hpp>

#include <string>
#include <string_view>

namespace apus::nats {

/// Returns the error 503 with Retry-After for a connection that was refused, lost or timed out.
error unreachable(std::string_view why);
/// Returns the error 503 with Retry-After for an exceeded limit of a client.
error too_busy(std::string_view why);
/// Returns the error 504 for a response or confirmation that has not arrived by its deadline.
error late(std::string_view what);
/// Returns the error 400 for a name that must not be sent.
error invalid(std::string_view why);
/// Returns the error 413 for a message over the limit of the server.
error too_large(std::size_t size, std::size_t most);
/// Returns the error 500 for a message or response that cannot be used.
error unusable(std::string_view why);

/// Returns the error for a request or message that the server has refused.
/// The status is 503 with Retry-After if `facts.status` is 503, otherwise 500.
error refused(const request_failure& facts, std::string_view why);

}  // namespace apus::nats
