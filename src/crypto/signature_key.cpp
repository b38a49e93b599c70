// SPDX-License-Identifier: Apache-2.0
#include "crypto/signature.hpp"

#include "crypto/key_material.hpp"

#include <openssl/core_names.h>
#include <openssl/pem.h>

namespace apus::crypto {
namespace {

constexpr int min_rsa_bits = 2'048;  // RFC 7518, 3.3
// Limits the work for key sets from other servers: verification time grows with the square of the size.
constexpr int max_rsa_bits = 8'192;
constexpr std::size_t max_pem = 32'768;

failure refused(signature_algorithm algorithm, const std::string& why) {
    return fail(500, "a key for " + std::string(facts(algorithm).name) + ' ' + why);
}

// A prompt for a passphrase would block the server.
int no_passphrase(char*, int, int, void*) { return -1; }

big_number number(std::string_view bytes) {
    return big_number(BN_bin2bn(octets(bytes), static_cast<int>(bytes.size()), nullptr));
}

pkey from_params(const char* type, OSSL_PARAM_BLD* builder) {
    const param_list params(OSSL_PARAM_BLD_to_param(builder));
    const pkey_context context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
    EVP_PKEY* made = nullptr;
    if (!params || !context || EVP_PKEY_fromdata_init(context.get()) != 1) return nullptr;
    if (EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_PUBLIC_KEY, params.get()) != 1) return nullptr;
    return pkey(made);
}

bool is_valid(EVP_PKEY* pair) {
    const pkey_context context(EVP_PKEY_CTX_new(pair, nullptr));
    return context && EVP_PKEY_public_check(context.get()) == 1;
}

int type_of(key_family family) {
    switch (family) {
        case key_family::rsa: return EVP_PKEY_RSA;
        case key_family::elliptic: return EVP_PKEY_EC;
        case key_family::edwards: return EVP_PKEY_ED25519;
        case key_family::secret: break;
    }
    return EVP_PKEY_NONE;
}

bool on_curve(EVP_PKEY* pair, const char* curve) {
    char name[64] = {};
    return EVP_PKEY_get_group_name(pair, name, sizeof name, nullptr) == 1 && std::string_view(name) == curve;
}

}  // namespace

result<signature_key> signature_key::checked(signature_algorithm algorithm, material made) {
    const algorithm_facts& of = facts(algorithm);
    EVP_PKEY* const pair = made.pair.get();
    if (EVP_PKEY_get_base_id(pair) != type_of(of.family)) return refused(algorithm, "has the wrong type");
    const int bits = EVP_PKEY_get_bits(pair);
    if (of.family == key_family::rsa && (bits < min_rsa_bits || bits > max_rsa_bits))
        return refused(algorithm, "must have 2048 to 8192 bits, not " + std::to_string(bits));
    if (of.family == key_family::elliptic && !on_curve(pair, of.curve))
        return refused(algorithm, "is on the wrong curve");
    if (of.family != key_family::edwards && !is_valid(pair)) return refused(algorithm, "is not valid");
    return signature_key(algorithm, std::make_shared<const material>(std::move(made)));
}

result<signature_key> signature_key::secret(signature_algorithm algorithm, std::string_view bytes) {
    const algorithm_facts& of = facts(algorithm);
    if (of.family != key_family::secret) return refused(algorithm, "must be a key pair, not a secret");
    if (bytes.find("-----BEGIN ") != bytes.npos) return refused(algorithm, "must be a secret, not a PEM");
    if (bytes.size() < of.digest_size)
        return refused(algorithm, "must have at least " + std::to_string(of.digest_size) + " bytes, not " +
                                      std::to_string(bytes.size()));
    material made;
    made.secret = bytes;
    made.is_private = true;
    return signature_key(algorithm, std::make_shared<const material>(std::move(made)));
}

result<signature_key> signature_key::pem(signature_algorithm algorithm, std::string_view text) {
    const error_queue emptied;
    if (facts(algorithm).family == key_family::secret) return refused(algorithm, "must be a secret, not a PEM");
    if (text.size() > max_pem) return refused(algorithm, "must be a PEM of at most 32768 bytes");
    const memory_bio in(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    if (!in) throw std::bad_alloc();
    material made;
    made.is_private = text.find("PRIVATE KEY-----") != text.npos;
    if (made.is_private) made.pair.reset(PEM_read_bio_PrivateKey(in.get(), nullptr, no_passphrase, nullptr));
    else made.pair.reset(PEM_read_bio_PUBKEY(in.get(), nullptr, no_passphrase, nullptr));
    if (!made.pair)
        return refused(algorithm, "must be a PEM with a PUBLIC KEY, or with a PRIVATE KEY without passphrase");
    return checked(algorithm, std::move(made));
}

result<signature_key> signature_key::rsa(signature_algorithm algorithm, std::string_view modulus,
                                         std::string_view exponent) {
    const error_queue emptied;
    if (facts(algorithm).family != key_family::rsa) return refused(algorithm, "has the wrong type");
    if (modulus.size() * 8 > max_rsa_bits || exponent.empty() || exponent.size() > 8)
        return refused(algorithm, "must have a modulus of at most 8192 bits and an exponent of at most 64 bits");
    const param_builder builder(OSSL_PARAM_BLD_new());
    const big_number n = number(modulus), e = number(exponent);
    material made;
    if (builder && n && e && OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) == 1)
        made.pair = from_params("RSA", builder.get());
    if (!made.pair) return refused(algorithm, "is not valid");
    return checked(algorithm, std::move(made));
}

result<signature_key> signature_key::elliptic(signature_algorithm algorithm, std::string_view x, std::string_view y) {
    const error_queue emptied;
    const algorithm_facts& of = facts(algorithm);
    if (of.family != key_family::elliptic) return refused(algorithm, "has the wrong type");
    const auto size = static_cast<std::size_t>(of.curve_bits / 8);
    if (x.size() != size || y.size() != size)
        return refused(algorithm, "must have coordinates of " + std::to_string(size) + " bytes");
    std::string point = "\x04";  // SEC 1, 2.3.3: uncompressed point
    point.append(x).append(y);
    const param_builder builder(OSSL_PARAM_BLD_new());
    material made;
    if (builder && OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, of.curve, 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()) == 1)
        made.pair = from_params("EC", builder.get());
    if (!made.pair) return refused(algorithm, "is not valid");
    return checked(algorithm, std::move(made));
}

result<signature_key> signature_key::edwards(std::string_view bytes) {
    const error_queue emptied;
    constexpr auto algorithm = signature_algorithm::eddsa;
    material made;
    if (bytes.size() == 32)
        made.pair.reset(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, octets(bytes), bytes.size()));
    if (!made.pair) return refused(algorithm, "must have 32 bytes");
    return checked(algorithm, std::move(made));
}

bool signature_key::signs() const noexcept { return material_->is_private; }

}  // namespace apus::crypto
