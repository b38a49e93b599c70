// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/redis/failure.hpp>

#include <string_view>

namespace apus::redis {

/// Error for connections that are refused, lost or timed out. 503 with Retry-After.
error unreachable(std::string_view why);
/// Error for limits of a client. 503 with Retry-After.
error too_busy(std::string_view why);
/// Error for a command without a reply at its deadline. 504.
error late(std::string_view command);
/// Error for a reply that cannot be used: too large, or of another type. 500.
error unusable(std::string_view command, std::string_view why);

/// Returns the error for an error reply.
/// Its status is 503 with Retry-After for a server that cannot serve now (LOADING, BUSY, MASTERDOWN, CLUSTERDOWN,
/// TRYAGAIN), otherwise 500. Its cause has the text, or only the code if it is `hidden`.
error refused(std::string_view reply, std::string_view command, bool hidden);

}  // namespace apus::redis
