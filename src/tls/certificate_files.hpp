// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tls/openssl.hpp"
#include "tls/server_context.hpp"

#include <apus/tls.hpp>

#include <expected>
#include <string>
#include <vector>

namespace apus::tls {

using checked = std::expected<void, std::string>;  ///< Errors are sentences that name the file.

/// All of a file, of at most a megabyte.
std::expected<std::string, std::string> read_file(const std::string& path);

/// What the files of a certificate hold.
std::expected<certificate_text, std::string> read_certificate(const tls_certificate&);

/// Has a context show this certificate, if key and OCSP response are of it.
checked use_certificate(SSL_CTX&, const certificate_text&);

/// Has a context let in clients whose certificates these have signed.
checked trust_authorities(SSL_CTX&, const std::string& pem, const std::string& file);

/// The hosts that a certificate is for, in lower case.
std::vector<std::string> names_of(X509&);

}  // namespace apus::tls
