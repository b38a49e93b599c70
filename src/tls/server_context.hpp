// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tls/openssl.hpp"
#include "tls/ticket_keys.hpp"

#include <apus/tls.hpp>

#include <cstdint>
#include <expected>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace apus::tls {

/// A certificate with its chain, key and OCSP response as text, and the paths of their files.
struct certificate_text {
    std::string certificate, key, ocsp;
    tls_certificate from;  ///< Paths, for messages.
};

/// Checked and immutable settings for the handshakes of a server.
/// Thread-safe. `SSL_new` of `first` starts a handshake. The context must outlive its handshakes.
class server_context {
public:
    /// `http2`: clients may negotiate HTTP/2. Errors are messages for the user that name the file.
    static std::expected<std::unique_ptr<server_context>, std::string> make(const server_tls_options&,
                                                                            const std::vector<certificate_text>&,
                                                                            const std::string& authorities,
                                                                            ticket_keys&, bool http2);

    SSL_CTX& first() const noexcept { return *certificates_.front().context; }

    /// Returns when the first certificate expires, in seconds since 1970-01-01.
    std::int64_t expires_at() const noexcept { return expires_at_; }

    /// Returns the context for the host name in the client's SNI, ignoring case; the first context if
    /// no name matches.
    SSL_CTX& named(std::string_view name) const noexcept;

private:
    struct served_certificate {
        ssl_context context;
        std::vector<std::string> names;  // in lower case
        std::string ocsp;
    };

    std::expected<void, std::string> add(const server_tls_options&, const certificate_text&,
                                         const std::string& authorities, ticket_keys&);
    const served_certificate* find(std::string_view name) const noexcept;
    static int choose_certificate(SSL*, int* alert, void* self) noexcept;
    static int staple(SSL*, void* ocsp) noexcept;

    std::vector<served_certificate> certificates_;
    std::int64_t expires_at_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace apus::tls
