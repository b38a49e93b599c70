// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crypto/openssl.hpp"

#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>

namespace apus::tls {

using crypto::freeing;

using ssl_context = std::unique_ptr<SSL_CTX, freeing<SSL_CTX_free>>;
using ssl = std::unique_ptr<SSL, freeing<SSL_free>>;
using certificate = std::unique_ptr<X509, freeing<X509_free>>;
using cipher = std::unique_ptr<EVP_CIPHER, freeing<EVP_CIPHER_free>>;
using bio_method = std::unique_ptr<BIO_METHOD, freeing<BIO_meth_free>>;

inline void free_names(GENERAL_NAMES* names) noexcept { GENERAL_NAMES_free(names); }
using general_names = std::unique_ptr<GENERAL_NAMES, freeing<free_names>>;

}  // namespace apus::tls
