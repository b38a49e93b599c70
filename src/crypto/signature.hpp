// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crypto/signature_algorithm.hpp"

#include <apus/error.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace apus::crypto {

/// A key that signs or checks by exactly one algorithm, which was named when the key was made and
/// not by what it is given to check: that is why no one can be confused into taking a public key
/// for a secret. A copy is the same key. Immutable, so it may be used by several threads at once.
///
/// What makes a key gives an error that says what is wrong with it, and nothing of its bytes.
class signature_key {
public:
    /// A secret for HMAC, at least as long as the digest (RFC 7518, 3.2). What looks like a PEM is refused.
    static result<signature_key> secret(signature_algorithm, std::string_view bytes);

    /// A PEM with a public key (SubjectPublicKeyInfo), or a private one without a passphrase.
    /// RSA has 2,048 to 8,192 bits; an elliptic key is on the algorithm's curve.
    static result<signature_key> pem(signature_algorithm, std::string_view text);

    /// A public RSA key by its numbers, unsigned and with the most significant byte first.
    static result<signature_key> rsa(signature_algorithm, std::string_view modulus, std::string_view exponent);

    /// A public elliptic key by its point: each coordinate has the size of the curve's field.
    static result<signature_key> elliptic(signature_algorithm, std::string_view x, std::string_view y);

    /// A public Ed25519 key of 32 bytes.
    static result<signature_key> edwards(std::string_view bytes);

    signature_algorithm algorithm() const noexcept { return algorithm_; }
    bool signs() const noexcept;  ///< Whether it holds what is needed to sign.

    /// Whether `signature`, in the form of RFC 7518, 3, is this key's of `message`. False for one of
    /// a wrong size. Takes 2 us by HMAC, 60 us by RSA, 100 to 300 us
    /// by ES256 and EdDSA, and 2 ms by ES384 (OpenSSL 3.0).
    bool verifies(std::string_view message, std::string_view signature) const noexcept;

    /// The signature of `message`, in the form of RFC 7518, 3. An error if the key does not sign.
    result<std::string> sign(std::string_view message) const;

private:
    struct material;
    signature_key(signature_algorithm a, std::shared_ptr<const material> m) : algorithm_(a), material_(std::move(m)) {}
    static result<signature_key> checked(signature_algorithm, material);

    signature_algorithm algorithm_;
    std::shared_ptr<const material> material_;
};

}  // namespace apus::crypto
