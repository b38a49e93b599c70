// SPDX-License-Identifier: Apache-2.0
#include "tls/certificate_files.hpp"

#include "base/ascii.hpp"
#include "runtime/file.hpp"
#include "tls/peer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include <openssl/ocsp.h>
#include <openssl/pem.h>

namespace apus::tls {
namespace {

using ocsp_response = std::unique_ptr<OCSP_RESPONSE, freeing<OCSP_RESPONSE_free>>;

crypto::memory_bio reading(const std::string& text) {
    crypto::memory_bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    if (!bio) throw std::bad_alloc();
    return bio;
}

// Replaces OpenSSL's default callback, which prompts on the terminal.
int no_passphrase(char*, int, int, void* asked) {
    *static_cast<bool*>(asked) = true;
    return -1;
}

std::unexpected<std::string> unusable(const char* what, const std::string& file, const std::string& why) {
    return std::unexpected("cannot use the " + std::string(what) + " in `" + file + "`: " + why);
}

certificate next_certificate(BIO& from) { return certificate(PEM_read_bio_X509(&from, nullptr, nullptr, nullptr)); }

const std::string& key_file(const tls_certificate& c) { return c.key.empty() ? c.certificate : c.key; }

checked use_chain(SSL_CTX& c, const certificate_text& text) {
    const auto bio = reading(text.certificate);
    const certificate own = next_certificate(*bio);
    if (!own) return unusable("certificate", text.from.certificate, "it contains no certificate in PEM");
    if (SSL_CTX_use_certificate(&c, own.get()) != 1)
        return unusable("certificate", text.from.certificate,
                        "OpenSSL rejects it; RSA keys must have at least 2,048 bits");
    while (const certificate more = next_certificate(*bio))
        if (SSL_CTX_add1_chain_cert(&c, more.get()) != 1)
            return unusable("certificate", text.from.certificate, "OpenSSL rejects an intermediate certificate");
    ERR_clear_error();
    return {};
}

checked use_key(SSL_CTX& c, const certificate_text& text) {
    const auto bio = reading(text.key);
    bool asked = false;
    const crypto::pkey key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, &asked));
    if (asked)
        return unusable("key", key_file(text.from), "it needs a passphrase, and encrypted keys are not supported");
    if (!key) return unusable("key", key_file(text.from), "it contains no private key in PEM");
    if (SSL_CTX_use_PrivateKey(&c, key.get()) == 1) return {};
    return unusable("key", key_file(text.from), "it does not match the certificate in `" + text.from.certificate + "`");
}

checked check_ocsp(const certificate_text& text) {
    if (text.ocsp.empty()) return {};
    const auto* bytes = crypto::octets(text.ocsp);
    const ocsp_response read(d2i_OCSP_RESPONSE(nullptr, &bytes, static_cast<long>(text.ocsp.size())));
    if (read && OCSP_response_status(read.get()) == OCSP_RESPONSE_STATUS_SUCCESSFUL) return {};
    return unusable("OCSP response", text.from.ocsp, "not an OCSP response in DER, or without a certificate status");
}

}  // namespace

std::expected<std::string, std::string> read_file(const std::string& path) {
    constexpr std::size_t most = 1024 * 1024;
    auto text = runtime::read_whole(path.c_str(), most);
    if (text) return *std::move(text);
    const std::string why = text.error() == EFBIG ? "it is larger than 1 MB" : std::strerror(text.error());
    return std::unexpected("cannot read `" + path + "`: " + why);
}

std::expected<certificate_text, std::string> read_certificate(const tls_certificate& from) {
    certificate_text text;
    text.from = from;
    const std::pair<std::string, std::string*> files[] = {
        {from.certificate, &text.certificate}, {key_file(from), &text.key}, {from.ocsp, &text.ocsp}};
    for (const auto& [path, to] : files) {
        if (path.empty()) continue;
        auto read = read_file(path);
        if (!read) return std::unexpected(read.error());
        *to = std::move(*read);
    }
    return text;
}

checked use_certificate(SSL_CTX& c, const certificate_text& text) {
    const crypto::error_queue errors;
    if (auto used = use_chain(c, text); !used) return used;
    if (auto used = use_key(c, text); !used) return used;
    return check_ocsp(text);
}

checked trust_authorities(SSL_CTX& c, const std::string& pem, const std::string& file) {
    const crypto::error_queue errors;
    const auto bio = reading(pem);
    unsigned found = 0;
    while (const certificate one = next_certificate(*bio)) {
        ++found;
        if (X509_STORE_add_cert(SSL_CTX_get_cert_store(&c), one.get()) != 1 ||
            SSL_CTX_add_client_CA(&c, one.get()) != 1)
            return unusable("authorities", file, "OpenSSL rejects certificate " + std::to_string(found));
    }
    if (!found) return unusable("authorities", file, "it contains no certificate in PEM");
    return {};
}

std::vector<std::string> names_of(X509& of) {
    const crypto::error_queue errors;
    std::vector<std::string> names = peer_of(of).dns_names;
    for (auto& name : names) std::ranges::transform(name, name.begin(), [](char c) { return base::lowered(c); });
    return names;
}

}  // namespace apus::tls
