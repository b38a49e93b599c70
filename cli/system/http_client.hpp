// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

namespace apus::cli::system {

/// Sends requests to a server on this machine, or near it.
class http_client {
public:
    /// Why there is no response. `what()` completes a sentence: "the server does not respond".
    struct error : std::runtime_error {
        using std::runtime_error::runtime_error;
    };

    struct response {
        int status = 0;
        std::string body;
    };

    /// Parses an address.
    /// Examples: "127.0.0.1:9090", "http://127.0.0.1:9090", "localhost:9090", "[::1]:9090", "9090",
    /// "unix:/run/app.sock". Throws `error` if it is invalid.
    explicit http_client(std::string_view address);

    /// Sends a GET on a new connection, and returns the response.
    /// Throws `error` if the server is not reachable, does not respond completely within `longest`, or sends more than
    /// 64 MiB. Throws if a signal has arrived. The resolver of the system has its own deadline for names of hosts.
    response get(std::string_view path, std::string_view accept, std::chrono::milliseconds longest) const;

private:
    int connect(std::chrono::steady_clock::time_point deadline) const;

    std::string host_, port_;  // empty for a Unix socket
    std::string path_;
};

}  // namespace apus::cli::system
