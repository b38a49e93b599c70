// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <memory>
#include <string_view>

namespace apus::crypto {

/// Deleter that calls an OpenSSL free function.
template <auto Free>
struct freeing {
    template <class T>
    void operator()(T* made) const noexcept {
        Free(made);
    }
};

using pkey = std::unique_ptr<EVP_PKEY, freeing<EVP_PKEY_free>>;
using pkey_context = std::unique_ptr<EVP_PKEY_CTX, freeing<EVP_PKEY_CTX_free>>;
using digest_context = std::unique_ptr<EVP_MD_CTX, freeing<EVP_MD_CTX_free>>;
using big_number = std::unique_ptr<BIGNUM, freeing<BN_free>>;
using memory_bio = std::unique_ptr<BIO, freeing<BIO_free_all>>;
using ecdsa_pair = std::unique_ptr<ECDSA_SIG, freeing<ECDSA_SIG_free>>;
using param_builder = std::unique_ptr<OSSL_PARAM_BLD, freeing<OSSL_PARAM_BLD_free>>;
using param_list = std::unique_ptr<OSSL_PARAM, freeing<OSSL_PARAM_free>>;

/// Clears the thread's OpenSSL error queue at the end of the scope.
/// Apus does not read the queue, so each function that may fail clears it.
struct error_queue {
    error_queue() = default;
    error_queue(const error_queue&) = delete;
    error_queue& operator=(const error_queue&) = delete;
    ~error_queue() { ERR_clear_error(); }
};

inline const unsigned char* octets(std::string_view text) noexcept {
    return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace apus::crypto
