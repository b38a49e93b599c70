// SPDX-License-Identifier: Apache-2.0
#include "crypto/signature.hpp"

#include "crypto/key_material.hpp"

#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <openssl/rsa.h>

#include <array>
#include <new>

namespace apus::crypto {
namespace {

constexpr std::size_t edwards_size = 64;

// OpenSSL requires non-null pointers, even for an empty key or message.
std::string hmac(const algorithm_facts& of, std::string_view secret, std::string_view message) {
    std::string tag(of.digest_size, '\0');
    const EVP_MD* digest = of.digest_size == 32 ? EVP_sha256() : of.digest_size == 48 ? EVP_sha384() : EVP_sha512();
    if (!HMAC(digest, secret.data(), static_cast<int>(secret.size()), octets(message), message.size(),
              reinterpret_cast<unsigned char*>(tag.data()), nullptr))
        throw std::bad_alloc();
    return tag;
}

// Sets PSS padding with a salt of the digest's size (RFC 7518, 3.5); other parameters keep their defaults.
bool pad(EVP_PKEY_CTX* context, signature_algorithm algorithm) {
    if (algorithm != signature_algorithm::ps256) return true;
    return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
           EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1;
}

// In a JWS, an ECDSA signature is two concatenated numbers (RFC 7518, 3.4); OpenSSL uses DER.
std::size_t coordinate(signature_algorithm algorithm) {
    return static_cast<std::size_t>(facts(algorithm).curve_bits) / 8;
}

std::string der_of(signature_algorithm algorithm, std::string_view joined) {
    const std::size_t size = coordinate(algorithm);
    if (joined.size() != 2 * size) return {};
    big_number r(BN_bin2bn(octets(joined), static_cast<int>(size), nullptr));
    big_number s(BN_bin2bn(octets(joined.substr(size)), static_cast<int>(size), nullptr));
    // Java accepted a signature of zeros for every message (CVE-2022-21449). OpenSSL also rejects zeros.
    if (!r || !s || BN_is_zero(r.get()) || BN_is_zero(s.get())) return {};
    const ecdsa_pair pair(ECDSA_SIG_new());
    if (!pair || ECDSA_SIG_set0(pair.get(), r.get(), s.get()) != 1) return {};
    static_cast<void>(r.release()), static_cast<void>(s.release());
    std::array<unsigned char, 128> der;  // at most 104 bytes for P-384
    unsigned char* end = der.data();
    const int length = i2d_ECDSA_SIG(pair.get(), &end);
    return length > 0 ? std::string(der.data(), der.data() + length) : std::string();
}

std::string joined_of(signature_algorithm algorithm, std::string_view der) {
    const int size = static_cast<int>(coordinate(algorithm));
    const unsigned char* at = octets(der);
    const ecdsa_pair pair(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
    std::string joined(2 * static_cast<std::size_t>(size), '\0');
    auto* out = reinterpret_cast<unsigned char*>(joined.data());
    if (!pair || BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), out, size) != size ||
        BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), out + size, size) != size)
        return {};
    return joined;
}

bool verifies_pair(EVP_PKEY* pair, signature_algorithm algorithm, std::string_view message,
                   std::string_view signature) {
    const digest_context context(EVP_MD_CTX_new());
    EVP_PKEY_CTX* options = nullptr;
    return context &&
           EVP_DigestVerifyInit_ex(context.get(), &options, facts(algorithm).digest, nullptr, nullptr, pair, nullptr) ==
               1 &&
           pad(options, algorithm) &&
           EVP_DigestVerify(context.get(), octets(signature), signature.size(), octets(message), message.size()) == 1;
}

std::string sign_pair(EVP_PKEY* pair, signature_algorithm algorithm, std::string_view message) {
    const digest_context context(EVP_MD_CTX_new());
    EVP_PKEY_CTX* options = nullptr;
    std::size_t size = 0;
    if (!context ||
        EVP_DigestSignInit_ex(context.get(), &options, facts(algorithm).digest, nullptr, nullptr, pair, nullptr) != 1 ||
        !pad(options, algorithm) || EVP_DigestSign(context.get(), nullptr, &size, octets(message), message.size()) != 1)
        return {};
    std::string signature(size, '\0');
    auto* out = reinterpret_cast<unsigned char*>(signature.data());
    if (EVP_DigestSign(context.get(), out, &size, octets(message), message.size()) != 1) return {};
    signature.resize(size);
    return signature;
}

}  // namespace

bool signature_key::verifies(std::string_view message, std::string_view signature) const noexcept {
    const error_queue emptied;
    try {
        switch (facts(algorithm_).family) {
            case key_family::secret: {
                const std::string tag = hmac(facts(algorithm_), material_->secret, message);
                return tag.size() == signature.size() && CRYPTO_memcmp(tag.data(), signature.data(), tag.size()) == 0;
            }
            case key_family::rsa:
                if (signature.size() != static_cast<std::size_t>(EVP_PKEY_get_size(material_->pair.get())))
                    return false;
                return verifies_pair(material_->pair.get(), algorithm_, message, signature);
            case key_family::elliptic: {
                const std::string der = der_of(algorithm_, signature);
                return !der.empty() && verifies_pair(material_->pair.get(), algorithm_, message, der);
            }
            case key_family::edwards:
                return signature.size() == edwards_size &&
                       verifies_pair(material_->pair.get(), algorithm_, message, signature);
        }
    } catch (const std::bad_alloc&) {
        return false;
    }
    return false;
}

result<std::string> signature_key::sign(std::string_view message) const {
    const error_queue emptied;
    if (!signs()) return fail(500, "a public key cannot sign: use the private key");
    if (facts(algorithm_).family == key_family::secret) return hmac(facts(algorithm_), material_->secret, message);
    std::string signature = sign_pair(material_->pair.get(), algorithm_, message);
    if (facts(algorithm_).family == key_family::elliptic) signature = joined_of(algorithm_, signature);
    if (signature.empty()) return fail(500, "signing failed");
    return signature;
}

}  // namespace apus::crypto
