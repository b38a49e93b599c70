// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crypto/openssl.hpp"
#include "crypto/signature.hpp"

namespace apus::crypto {

/// What a key is made of: a secret, or a key pair of which the private half may be missing.
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
