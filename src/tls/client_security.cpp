// SPDX-License-Identifier: Apache-2.0
#include "tls/client_security.hpp"

#include "tls/certificate_files.hpp"
#include "tls/session.hpp"

#include <apus/client.hpp>

#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <arpa/inet.h>

namespace apus::tls {
namespace {

// Protocols in the order of preference, each after its length (RFC 7301, 3.1).
constexpr std::string_view all_protocols = "\x02h2\x08http/1.1";

std::string_view offered(runtime::protocols spoken) noexcept {
    constexpr std::size_t http2_size = 3;
    if (spoken == runtime::protocols::http1) return all_protocols.substr(http2_size);
    return spoken == runtime::protocols::http2 ? all_protocols.substr(0, http2_size) : all_protocols;
}

template <class T>
T value_or_throw(std::expected<T, std::string> made) {
    if (!made) throw std::runtime_error(made.error());
    if constexpr (!std::is_void_v<T>) return std::move(*made);
}

bool is_address(const std::string& host) noexcept {
    in6_addr bytes;
    return inet_pton(AF_INET, host.c_str(), &bytes) == 1 || inet_pton(AF_INET6, host.c_str(), &bytes) == 1;
}

}  // namespace

client_security::client_security(const client_tls_options& options)
    : method_(make_record_bio_method()), context_(make_context(*TLS_client_method(), options.min_version)) {
    const crypto::error_queue errors;
    SSL_CTX& c = *context_;
    SSL_CTX_set_verify(&c, SSL_VERIFY_PEER, nullptr);
    if (options.authorities.empty()) SSL_CTX_set_default_verify_paths(&c);
    else value_or_throw(trust_authorities(c, value_or_throw(read_file(options.authorities)), options.authorities));
    if (!options.certificate.certificate.empty())
        value_or_throw(use_certificate(c, value_or_throw(read_certificate(options.certificate))));
}

std::unique_ptr<runtime::record_layer> client_security::connect(const std::string& host, runtime::protocols spoken) {
    const crypto::error_queue errors;
    ssl made(SSL_new(context_.get()));
    if (!made) throw std::bad_alloc();
    X509_VERIFY_PARAM* wanted = SSL_get0_param(made.get());
    X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    // SNI must not contain IP addresses (RFC 6066, 3).
    const bool named = is_address(host) ? X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) == 1
                                        : SSL_set1_host(made.get(), host.c_str()) == 1 &&
                                              SSL_set_tlsext_host_name(made.get(), host.c_str()) == 1;
    const std::string_view list = offered(spoken);
    const bool offers = SSL_set_alpn_protos(made.get(), reinterpret_cast<const unsigned char*>(list.data()),
                                            static_cast<unsigned>(list.size())) == 0;
    if (!named || !offers) throw std::bad_alloc();
    SSL_set_connect_state(made.get());
    return std::make_unique<session>(std::move(made), *method_, nullptr);
}

}  // namespace apus::tls

namespace apus {

client_tls::client_tls(const client_tls_options& options) : parts_(new tls::client_security(options)) {}

}  // namespace apus
