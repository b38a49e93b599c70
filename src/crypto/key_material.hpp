// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crypto/openssl.hpp"
#include "crypto/signature.hpp"

namespace apus::crypto {

/// Material of a key: a secret, or a key pair, possibly without the private key.
struct signature_key::material {
    std::string secret;
    pkey pair;
    bool is_private = false;

    material() = default;
    material(material&&) noexcept = default;
    material& operator=(material&&) noexcept = default;
    ~material() { OPENSSL_cleanse(secret.data(), secret.size()); }
};

}  // namespace apus::crypto
