// SPDX-License-Identifier: Apache-2.0
#include "tls/ticket_keys.hpp"

#include <cstring>
#include <ctime>
#include <new>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

namespace apus::tls {
namespace {

constexpr int refused = -1, unknown = 0, good = 1, valid_but_renew = 2;  // return values that OpenSSL defines

}  // namespace

std::int64_t ticket_keys::seconds_now() noexcept {
    timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return t.tv_sec;
}

ticket_keys::key ticket_keys::fresh() {
    key k;
    if (RAND_bytes(k.name, sizeof k.name) != 1 || RAND_priv_bytes(k.cipher, sizeof k.cipher) != 1 ||
        RAND_priv_bytes(k.mac, sizeof k.mac) != 1)
        throw std::bad_alloc();
    return k;
}

ticket_keys::ticket_keys(std::int64_t made)
    : newest_(fresh()), before_(), made_(made), cipher_(EVP_CIPHER_fetch(nullptr, "AES-256-CBC", nullptr)) {
    if (!cipher_) throw std::bad_alloc();
}

ticket_keys::~ticket_keys() {
    OPENSSL_cleanse(&newest_, sizeof newest_);
    OPENSSL_cleanse(&before_, sizeof before_);
}

void ticket_keys::rotate(std::int64_t now) {
    if (now - made_ < lifetime) return;
    // If the newest key is older than twice its lifetime, for lack of handshakes, it has expired for decryption too.
    has_before_ = now - made_ < 2 * lifetime;
    before_ = newest_;
    newest_ = fresh();
    made_ = now;
}

ticket_keys::key ticket_keys::sealing(std::int64_t now) {
    const std::lock_guard lock(mutex_);
    rotate(now);
    return newest_;
}

std::optional<ticket_keys::found> ticket_keys::opening(const unsigned char* name, std::int64_t now) {
    const std::lock_guard lock(mutex_);
    rotate(now);
    if (std::memcmp(name, newest_.name, name_size) == 0) return found{newest_, true};
    if (has_before_ && std::memcmp(name, before_.name, name_size) == 0) return found{before_, false};
    return std::nullopt;
}

int ticket_keys::use(SSL* of, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* body, EVP_MAC_CTX* mac,
                     int seals) {
    auto& keys = *static_cast<ticket_keys*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(of)));
    std::optional<found> by;
    try {
        by = seals ? found{keys.sealing(seconds_now()), true} : keys.opening(name, seconds_now());
    } catch (const std::bad_alloc&) {
        return refused;
    }
    if (!by) return unknown;
    const EVP_CIPHER* aes = keys.cipher_.get();
    int ready;
    if (seals) {
        std::memcpy(name, by->with.name, name_size);
        ready = RAND_bytes(iv, EVP_CIPHER_get_iv_length(aes)) == 1 &&
                EVP_EncryptInit_ex(body, aes, nullptr, by->with.cipher, iv) == 1;
    } else {
        ready = EVP_DecryptInit_ex(body, aes, nullptr, by->with.cipher, iv) == 1;
    }
    char digest[] = "SHA256";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, by->with.mac, sizeof by->with.mac),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    ready = ready && EVP_MAC_CTX_set_params(mac, parameters) == 1;
    OPENSSL_cleanse(&by->with, sizeof by->with);
    if (!ready) return refused;
    return by->newest ? good : valid_but_renew;
}

void ticket_keys::serve(SSL_CTX& of) {
    if (!SSL_CTX_set_app_data(&of, this)) throw std::bad_alloc();
    SSL_CTX_set_tlsext_ticket_key_evp_cb(&of, use);
    SSL_CTX_set_timeout(&of, lifetime);
}

}  // namespace apus::tls
