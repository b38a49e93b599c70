// SPDX-License-Identifier: Apache-2.0
#include "tls/peer.hpp"

#include "base/hex.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace apus::tls {
namespace {

std::string hexadecimal(const unsigned char* bytes, std::size_t size) {
    return base::hex({reinterpret_cast<const char*>(bytes), size});
}

std::string text_of(const X509_NAME* name) {
    const crypto::memory_bio to(BIO_new(BIO_s_mem()));
    if (!to ||
        X509_NAME_print_ex(to.get(), name, 0, XN_FLAG_RFC2253 & ~static_cast<unsigned long>(ASN1_STRFLGS_ESC_MSB)) < 0)
        return {};
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(to.get(), &bytes);
    return {bytes, static_cast<std::size_t>(size)};
}

std::string text_of(const ASN1_STRING* s) {
    return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(s)), static_cast<std::size_t>(ASN1_STRING_length(s))};
}

void add_names(X509& shown, peer_certificate& to) {
    const general_names names(
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&shown, NID_subject_alt_name, nullptr, nullptr)));
    for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
        const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
        if (name->type == GEN_DNS) to.dns_names.push_back(text_of(name->d.dNSName));
        else if (name->type == GEN_EMAIL) to.emails.push_back(text_of(name->d.rfc822Name));
        else if (name->type == GEN_URI) to.uris.push_back(text_of(name->d.uniformResourceIdentifier));
    }
}

}  // namespace

peer_certificate peer_of(X509& shown) {
    const crypto::error_queue errors;
    peer_certificate peer;
    peer.subject = text_of(X509_get_subject_name(&shown));
    peer.issuer = text_of(X509_get_issuer_name(&shown));
    const ASN1_INTEGER* serial = X509_get0_serialNumber(&shown);
    peer.serial = hexadecimal(ASN1_STRING_get0_data(serial), static_cast<std::size_t>(ASN1_STRING_length(serial)));
    add_names(shown, peer);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (X509_digest(&shown, EVP_sha256(), digest, &size) == 1) peer.fingerprint = hexadecimal(digest, size);
    return peer;
}

}  // namespace apus::tls
