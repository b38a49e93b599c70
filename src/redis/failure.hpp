// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/redis/failure.hpp>

#include <string_view>

namespace apus::redis {

/// Returns the error 503 with Retry-After for a connection that was refused, lost or timed out.
error unreachable(std::string_view why);
/// Returns the error 503 with Retry-After for an exceeded limit of a client.
/// Also used for a transaction with too many conflicts.
error too_busy(std::string_view why);
/// Returns the error 504 for a command whose reply has not arrived by its deadline.
error late(std::string_view command);
/// Returns the error 500 for a command that must not be sent, or for a reply that cannot be used.
/// A reply cannot be used if it is too large or of another type than expected.
error unusable(std::string_view command, std::string_view why);

/// Returns the error for an error reply.
/// The status is 503 with Retry-After if Redis cannot serve now (LOADING, BUSY, MASTERDOWN, CLUSTERDOWN, TRYAGAIN),
/// otherwise 500. The cause contains the text of the reply, or only its code if `hidden` is true.
error refused(std::string_view reply, std::string_view command, bool hidden);

}  // namespace apus::redis
