// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/connection.hpp"

#include <apus/error.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace apus::postgres {

/// Returns why a URL cannot be used, or an empty text.
std::string fault_in_url(const std::string& url);

/// Connects within `timeout` milliseconds. The socket is non-blocking.
/// Call it on a separate thread: it resolves names, reads files, derives keys and performs the TLS handshake. Fails
/// soon after `stops` is set.
result<std::shared_ptr<PGconn>> connect(const std::string& url, std::int64_t timeout, const std::atomic<bool>& stops);

}  // namespace apus::postgres
