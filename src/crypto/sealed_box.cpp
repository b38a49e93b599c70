// SPDX-License-Identifier: Apache-2.0
#include "crypto/sealed_box.hpp"

#include "crypto/hmac.hpp"
#include "crypto/random.hpp"

#include <algorithm>
#include <stdexcept>

#include <sodium.h>

namespace apus::crypto {
namespace {

constexpr char version = 1;  // identifies the cipher
constexpr std::size_t nonce_size = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_size = crypto_aead_xchacha20poly1305_ietf_ABYTES;
static_assert(sealed_box::overhead == 1 + nonce_size + tag_size);
static_assert(sealed_box::min_secret == crypto_aead_xchacha20poly1305_ietf_KEYBYTES);

const unsigned char* bytes_of(std::string_view text) noexcept {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) noexcept { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

void check_secret(std::string_view secret, std::string_view purpose) {
    if (secret.size() < sealed_box::min_secret)
        throw std::invalid_argument("a secret for " + std::string(purpose) + " has " + std::to_string(secret.size()) +
                                    " bytes: use at least 32 bytes from a random number generator");
}

sealed_box::sealed_box(const std::vector<std::string>& secrets, std::string_view purpose) {
    if (secrets.empty()) throw std::invalid_argument("missing secret for " + std::string(purpose));
    for (const std::string& secret : secrets) {
        check_secret(secret, purpose);
        std::string derived = hmac_sha256(secret, "apus key: " + std::string(purpose));
        std::ranges::copy(derived, keys_.emplace_back().begin());
        sodium_memzero(derived.data(), derived.size());
    }
}

sealed_box::~sealed_box() {
    for (key& k : keys_) sodium_memzero(k.data(), k.size());
}

std::string sealed_box::seal(std::string_view plain, std::string_view bound_to) const {
    std::string out(plain.size() + overhead, version);
    unsigned char* const nonce = bytes_of(out) + 1;
    fill_random({nonce, nonce_size});
    crypto_aead_xchacha20poly1305_ietf_encrypt(nonce + nonce_size, nullptr, bytes_of(plain), plain.size(),
                                               bytes_of(bound_to), bound_to.size(), nullptr, nonce,
                                               keys_.front().data());
    return out;
}

std::optional<std::string> sealed_box::open(std::string_view sealed, std::string_view bound_to) const {
    if (sealed.size() < overhead || sealed[0] != version) return std::nullopt;
    const unsigned char* const nonce = bytes_of(sealed) + 1;
    std::string plain(sealed.size() - overhead, '\0');
    for (const key& k : keys_)
        if (crypto_aead_xchacha20poly1305_ietf_decrypt(bytes_of(plain), nullptr, nullptr, nonce + nonce_size,
                                                       plain.size() + tag_size, bytes_of(bound_to), bound_to.size(),
                                                       nonce, k.data()) == 0)
            return plain;
    return std::nullopt;
}

}  // namespace apus::crypto
