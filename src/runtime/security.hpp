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

/// What gives connections their record layers: TLS, behind interfaces, so that a program that does
/// not use it does not need its library. Shared by all cores; has several owners.
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

/// Of connections that are asked for: this side speaks first. From any thread.
class client_security : public security {
public:
    /// For a connection to a host, whose certificate must be for it: a name, or an IP address.
    virtual std::unique_ptr<record_layer> connect(const std::string& host) = 0;
};

/// Of a server's connections.
class server_security : public security {
public:
    /// A certificate, its key and its OCSP response, as the command line names them.
    struct files {
        std::string certificate, key = {}, ocsp = {};
    };

    // Before cores are there. Errors are sentences that name the file.
    virtual void use(std::vector<files>) = 0;  ///< In place of those that the program has named.
    virtual void self_sign() = 0;              ///< Certifies itself, where a certificate is missing.
    virtual std::expected<void, std::string> open(bool http2) = 0;  ///< Whether clients may agree on HTTP/2.

    /// For a new connection, which is crowded if `most` handshakes are in progress when its own begins.
    /// Its client may agree on these protocols. From any thread.
    virtual std::unique_ptr<record_layer> accept(std::uint32_t most, protocols = protocols::every) = 0;

    /// Reads files that have changed, or all of them, for connections to come. What is broken is
    /// said in the log, and all stays as it was. Blocks; one call at a time.
    virtual void look_again(bool all) = 0;
};

}  // namespace apus::runtime
