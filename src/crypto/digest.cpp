// SPDX-License-Identifier: Apache-2.0
#include "crypto/digest.hpp"

#include <sodium.h>

namespace apus::crypto {

std::string sha256(std::string_view bytes) {
    std::string out(crypto_hash_sha256_BYTES, '\0');
    crypto_hash_sha256(reinterpret_cast<unsigned char*>(out.data()),
                       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    return out;
}

}  // namespace apus::crypto
