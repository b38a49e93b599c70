// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tls/openssl.hpp"
#include "tls/ticket_keys.hpp"

#include <apus/tls.hpp>

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace apus::tls {

/// The text of a certificate, its key and what belongs to them, and where they came from.
struct certificate_text {
    std::string certificate, key, ocsp;
    tls_certificate from;  ///< For messages.
};

/// Everything that handshakes of a server need, read and checked: it does not change, and any
/// thread may use it. `SSL_new` of `first` begins one; it must live until that is over.
class server_context {
public:
    /// Clients may agree on HTTP/2 if `http2`. The errors are sentences that name the file.
    static std::expected<std::unique_ptr<server_context>, std::string> make(const tls_options&,
                                                                            const std::vector<certificate_text>&,
                                                                            const std::string& authorities,
                                                                            ticket_keys&, bool http2);

    SSL_CTX& first() const noexcept { return *shown_.front().context; }

    /// The context for a name that a client asks for, in any case; the first if there is none.
    SSL_CTX& named(std::string_view name) const noexcept;

private:
    struct shown {
        ssl_context context;
        std::vector<std::string> names;  // in lower case
        std::string ocsp;
    };

    std::expected<void, std::string> add(const tls_options&, const certificate_text&, const std::string& authorities,
                                         ticket_keys&);
    const shown* find(std::string_view name) const noexcept;
    static int choose_certificate(SSL*, int* alert, void* self) noexcept;
    static int staple(SSL*, void* ocsp) noexcept;

    std::vector<shown> shown_;
};

}  // namespace apus::tls
