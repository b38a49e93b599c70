// SPDX-License-Identifier: Apache-2.0
#include "crypto/hmac.hpp"

#include <sodium.h>

namespace apus::crypto {
namespace {

const unsigned char* bytes_of(std::string_view text) noexcept {
    return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::string hmac_sha256(std::string_view key, std::string_view message) {
    std::string out(crypto_auth_hmacsha256_BYTES, '\0');
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, bytes_of(key), key.size());
    crypto_auth_hmacsha256_update(&state, bytes_of(message), message.size());
    crypto_auth_hmacsha256_final(&state, reinterpret_cast<unsigned char*>(out.data()));
    return out;
}

std::string hmac_sha512(std::string_view key, std::string_view message) {
    std::string out(crypto_auth_hmacsha512_BYTES, '\0');
    crypto_auth_hmacsha512_state state;
    crypto_auth_hmacsha512_init(&state, bytes_of(key), key.size());
    crypto_auth_hmacsha512_update(&state, bytes_of(message), message.size());
    crypto_auth_hmacsha512_final(&state, reinterpret_cast<unsigned char*>(out.data()));
    return out;
}

}  // namespace apus::crypto
