// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tls/openssl.hpp"
#include "tls/server_context.hpp"

#include <apus/tls.hpp>

#include <expected>
#include <string>
#include <vector>

namespace apus::tls {

using checked = std::expected<void, std::string>;  ///< Errors are sentences for the user that name the file.

/// Returns the content of a file of at most a megabyte.
std::expected<std::string, std::string> read_file(const std::string& path);

/// Reads and checks the files of a certificate.
std::expected<certificate_text, std::string> read_certificate(const tls_certificate&);

/// Makes a context present this certificate. Fails if the key or the OCSP response does not belong
/// to it.
checked use_certificate(SSL_CTX&, const certificate_text&);

/// Accepts clients with certificates signed by these authorities.
checked trust_authorities(SSL_CTX&, const std::string& pem, const std::string& file);

/// Returns the host names that a certificate is valid for, in lower case.
std::vector<std::string> names_of(X509&);

}  // namespace apus::tls
