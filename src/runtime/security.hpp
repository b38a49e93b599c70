// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/protocols.hpp"
#include "runtime/record_layer.hpp"

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apus::runtime {

/// Creates record layers (TLS) for connections.
/// An interface, so that programs without TLS do not link OpenSSL. All cores share the object, which counts its owners.
class security {
public:
    security() = default;
    security(const security&) = delete;
    security& operator=(const security&) = delete;

    void keep() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
    void let_go() noexcept {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

protected:
    virtual ~security() = default;

private:
    std::atomic<unsigned> owners_ = 1;
};

/// Creates record layers for client connections. Thread-safe.
class client_security : public security {
public:
    /// Creates the record layer for a connection to a host.
    /// The server's certificate must match `host`, a name or an IP address. Offers these protocols by ALPN.
    virtual std::unique_ptr<record_layer> connect(const std::string& host, protocols) = 0;
};

/// Creates record layers for the connections of a server.
class server_security : public security {
public:
    /// Paths of a certificate, its key and its OCSP response, from the command line.
    struct files {
        std::string certificate, key = {}, ocsp = {};
    };

    // Call these functions before the cores start. Errors name the file.
    virtual void use(std::vector<files>) = 0;                 ///< Replaces the files that the program has set.
    virtual void self_sign() = 0;                             ///< Uses a self-signed certificate if files are missing.
    virtual std::vector<std::string> files_read() const = 0;  ///< Paths of the files that `reload` reads.
    virtual std::expected<void, std::string> open(bool http2) = 0;  ///< `http2`: clients may negotiate HTTP/2.

    /// Creates the record layer for a new connection.
    /// `most`: maximum handshakes in progress. The client may negotiate these protocols. Thread-safe.
    virtual std::unique_ptr<record_layer> accept(std::uint32_t most, protocols = protocols::every) = 0;

    /// Returns when the first of the current certificates expires, in seconds since 1970-01-01.
    /// Thread-safe.
    virtual std::int64_t expires_at() = 0;

    /// Reloads changed files, or all files if `all` is true, for future connections.
    /// Logs errors, and keeps the current certificates after an error. Blocks the thread. One call at a time.
    virtual void reload(bool all) = 0;
};

}  // namespace apus::runtime
