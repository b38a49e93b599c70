// SPDX-License-Identifier: Apache-2.0
#include "tls/self_signed.hpp"

#include "tls/openssl.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <unistd.h>

namespace apus::tls {
namespace {

void must(bool done) {
    if (!done) throw std::runtime_error("OpenSSL could not create a certificate");
}

std::string text_in(BIO& from) {
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(&from, &bytes);
    return {bytes, static_cast<std::size_t>(size)};
}

void extend(X509& to, int what, const char* value) {
    using extension = std::unique_ptr<X509_EXTENSION, freeing<X509_EXTENSION_free>>;
    X509V3_CTX context;
    X509V3_set_ctx(&context, &to, &to, nullptr, nullptr, 0);
    const extension made(X509V3_EXT_conf_nid(nullptr, &context, what, value));
    must(made && X509_add_ext(&to, made.get(), -1) == 1);
}

void number(X509& to) {
    unsigned char bytes[16];
    must(RAND_bytes(bytes, sizeof bytes) == 1);
    bytes[0] &= 0x7f;  // makes the serial number positive (RFC 5280, 4.1.2.2)
    const crypto::big_number serial(BN_bin2bn(bytes, sizeof bytes, nullptr));
    must(serial && BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(&to)));
}

std::expected<void, std::string> write_new(const std::string& path, const std::string& text, int how) {
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | how, 0600);
    const bool done = fd >= 0 && write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int error = errno;
    if (fd >= 0) close(fd);
    if (done) return {};
    return std::unexpected("cannot write a certificate to `" + path + "`: " + std::strerror(error));
}

}  // namespace

self_signed sign_self() {
    constexpr long day = 24 * 3600, year = 365 * day;
    const crypto::error_queue errors;
    const crypto::pkey key(EVP_EC_gen("P-256"));
    const certificate made(X509_new());
    must(key && made);
    X509& x = *made;
    must(X509_set_version(&x, X509_VERSION_3) == 1);
    number(x);
    must(X509_gmtime_adj(X509_getm_notBefore(&x), -day) && X509_gmtime_adj(X509_getm_notAfter(&x), year - day));
    X509_NAME* name = X509_get_subject_name(&x);
    const unsigned char host[] = "localhost";
    must(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, host, -1, -1, 0) == 1);
    must(X509_set_issuer_name(&x, name) == 1 && X509_set_pubkey(&x, key.get()) == 1);
    extend(x, NID_basic_constraints, "critical,CA:FALSE");
    extend(x, NID_key_usage, "critical,digitalSignature");
    extend(x, NID_ext_key_usage, "serverAuth");
    extend(x, NID_subject_alt_name, "DNS:localhost,DNS:*.localhost,IP:127.0.0.1,IP:::1");
    must(X509_sign(&x, key.get(), EVP_sha256()) > 0);
    const crypto::memory_bio chain(BIO_new(BIO_s_mem())), secret(BIO_new(BIO_s_mem()));
    must(chain && secret && PEM_write_bio_X509(chain.get(), &x) == 1);
    must(PEM_write_bio_PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
    return {text_in(*chain), text_in(*secret)};
}

std::expected<void, std::string> write_self_signed(const std::string& chain, const std::string& key) {
    const self_signed made = sign_self();
    if (key.empty() || key == chain) return write_new(chain, made.certificate + made.key, O_EXCL);
    if (auto written = write_new(key, made.key, O_EXCL); !written) return written;
    return write_new(chain, made.certificate, O_EXCL);
}

}  // namespace apus::tls
