// SPDX-License-Identifier: Apache-2.0
#include "tls/profile.hpp"

#include <new>

namespace apus::tls {
namespace {

// Mozilla's "intermediate" profile (Server Side TLS 5.7), without finite-field Diffie-Hellman.
constexpr const char* ciphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr const char* suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";
constexpr const char* groups = "X25519:P-256:P-384";

}  // namespace

ssl_context make_context(const SSL_METHOD& side, tls_version min_version) {
    ssl_context made(SSL_CTX_new(&side));
    if (!made) throw std::bad_alloc();
    SSL_CTX& c = *made;
    SSL_CTX_set_min_proto_version(&c, min_version == tls_version::tls_1_3 ? TLS1_3_VERSION : TLS1_2_VERSION);
    SSL_CTX_set_max_proto_version(&c, TLS1_3_VERSION);
    SSL_CTX_set_options(&c, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_mode(&c, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_cipher_list(&c, ciphers);
    SSL_CTX_set_ciphersuites(&c, suites);
    SSL_CTX_set1_groups_list(&c, groups);
    SSL_CTX_set_session_cache_mode(&c, SSL_SESS_CACHE_OFF);  // sessions are stored in tickets instead
    return made;
}

}  // namespace apus::tls
