// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/security.hpp"
#include "tls/profile.hpp"
#include "tls/record_bio.hpp"

#include <apus/tls.hpp>

#include <memory>
#include <string>

namespace apus::tls {

/// TLS as a client: trusted authorities and the client's own certificate.
class client_security final : public runtime::client_security {
public:
    explicit client_security(const client_tls_options&);  ///< Throws `std::runtime_error` with a message for the user.

    std::unique_ptr<runtime::record_layer> connect(const std::string& host, runtime::protocols) override;

private:
    bio_method method_;
    ssl_context context_;
};

}  // namespace apus::tls
