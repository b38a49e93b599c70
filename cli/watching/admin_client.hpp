// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "cli/system/http_client.hpp"

namespace apus::cli::watching {

/// Requests to the administration of a running server.
class admin_client {
public:
    /// Parses an address as in the server's option `--admin`, or as `http_client` does.
    /// Throws E0320 if it is invalid.
    explicit admin_client(std::string_view where);

    /// Sends a GET on a new connection, and returns the body.
    /// Throws E0320 if the server is not reachable, does not respond in time, or responds with a status other than 200.
    std::string get(std::string_view path, std::string_view accept, std::chrono::milliseconds longest) const;

    const std::string& address() const noexcept { return where_; }

private:
    std::string where_;
    system::http_client client_;
};

}  // namespace apus::cli::watching
