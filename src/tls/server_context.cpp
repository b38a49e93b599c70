// SPDX-License-Identifier: Apache-2.0
#include "tls/server_context.hpp"

#include "base/ascii.hpp"
#include "tls/certificate_files.hpp"
#include "tls/profile.hpp"
#include "tls/session.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <span>

namespace apus::tls {
namespace {

// Supported protocols in order of preference, each with a length prefix (RFC 7301, 3.1).
constexpr unsigned char protocols[] = "\x02h2\x08http/1.1\x08http/1.0";
constexpr unsigned char old_protocols[] = "\x08http/1.1\x08http/1.0";

// Returns the protocols of `all` that the listener of this connection accepts, in the same encoding.
std::span<const unsigned char> alpn_list(const SSL* of, const unsigned char* all) noexcept {
    constexpr std::size_t http2_size = 3;
    const auto spoken = session::allowed_protocols(of);
    if (all != protocols || spoken == runtime::protocols::http1) return {old_protocols, sizeof old_protocols - 1};
    return {protocols, spoken == runtime::protocols::http2 ? http2_size : sizeof protocols - 1};
}

int choose_protocol(SSL* of, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                    unsigned offered_size, void* all) noexcept {
    auto* to = const_cast<unsigned char**>(chosen);
    const auto ours = alpn_list(of, static_cast<const unsigned char*>(all));
    const int found =
        SSL_select_next_proto(to, size, ours.data(), static_cast<unsigned>(ours.size()), offered, offered_size);
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

ssl_context context_of_server(const server_tls_options& options, ticket_keys& tickets) {
    ssl_context made = make_context(*TLS_server_method(), options.min_version);
    SSL_CTX_set_num_tickets(made.get(), 1);
    tickets.serve(*made);
    return made;
}

// Binds sessions to the current client authorities: a ticket issued under other authorities cannot be resumed.
void set_session_id_context(SSL_CTX& c, const std::string& authorities) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    EVP_Digest(authorities.data(), authorities.size(), digest, &size, EVP_sha256(), nullptr);
    SSL_CTX_set_session_id_context(&c, digest, std::min(size, unsigned{SSL_MAX_SID_CTX_LENGTH}));
}

// Returns the end of a certificate's validity in seconds since 1970-01-01. Invalid times count as expired.
std::int64_t end_of(const X509& shown) noexcept {
    tm end{};
    return ASN1_TIME_to_tm(X509_get0_notAfter(&shown), &end) == 1 ? timegm(&end) : 0;
}

}  // namespace

std::expected<std::unique_ptr<server_context>, std::string> server_context::make(
    const server_tls_options& options, const std::vector<certificate_text>& certificates,
    const std::string& authorities, ticket_keys& tickets, bool http2) {
    const crypto::error_queue errors;
    auto made = std::make_unique<server_context>();
    for (const auto& one : certificates)
        if (auto added = made->add(options, one, authorities, tickets); !added) return std::unexpected(added.error());
    for (served_certificate& one : made->certificates_) {
        const unsigned char* spoken = http2 ? protocols : old_protocols;
        SSL_CTX_set_alpn_select_cb(one.context.get(), choose_protocol, const_cast<unsigned char*>(spoken));
        SSL_CTX_set_tlsext_status_cb(one.context.get(), staple);
        SSL_CTX_set_tlsext_status_arg(one.context.get(), &one.ocsp);
    }
    SSL_CTX_set_tlsext_servername_callback(&made->first(), choose_certificate);
    SSL_CTX_set_tlsext_servername_arg(&made->first(), made.get());
    return made;
}

std::expected<void, std::string> server_context::add(const server_tls_options& options, const certificate_text& text,
                                                     const std::string& authorities, ticket_keys& tickets) {
    served_certificate one{context_of_server(options, tickets), {}, text.ocsp};
    SSL_CTX& c = *one.context;
    if (auto used = use_certificate(c, text); !used) return used;
    set_session_id_context(c, authorities);
    if (!options.client_authorities.empty()) {
        if (auto trusted = trust_authorities(c, authorities, options.client_authorities); !trusted) return trusted;
        const int required = options.clients == client_certificates::required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0;
        SSL_CTX_set_verify(&c, SSL_VERIFY_PEER | required, nullptr);
    }
    one.names = names_of(*SSL_CTX_get0_certificate(&c));
    expires_at_ = std::min(expires_at_, end_of(*SSL_CTX_get0_certificate(&c)));
    certificates_.push_back(std::move(one));
    return {};
}

const server_context::served_certificate* server_context::find(std::string_view name) const noexcept {
    const auto found = std::ranges::find_if(certificates_, [name](const served_certificate& one) {
        return std::ranges::find(one.names, name) != one.names.end();
    });
    return found == certificates_.end() ? nullptr : &*found;
}

SSL_CTX& server_context::named(std::string_view name) const noexcept {
    char lower[256];  // longer than any DNS name
    if (name.size() >= sizeof lower) return first();
    std::ranges::transform(name, lower, [](char c) { return base::lowered(c); });
    name = {lower, name.size()};
    if (const served_certificate* exact = find(name)) return *exact->context;
    // A wildcard matches exactly one label (RFC 9525, 6.3).
    const std::size_t dot = name.find('.');
    if (dot == name.npos || dot == 0) return first();
    lower[dot - 1] = '*';
    const served_certificate* wild = find(name.substr(dot - 1));
    return wild ? *wild->context : first();
}

int server_context::choose_certificate(SSL* of, int*, void* self) noexcept {
    const char* name = SSL_get_servername(of, TLSEXT_NAMETYPE_host_name);
    if (!name) return SSL_TLSEXT_ERR_NOACK;
    SSL_set_SSL_CTX(of, &static_cast<const server_context*>(self)->named(name));
    return SSL_TLSEXT_ERR_OK;
}

int server_context::staple(SSL* of, void* ocsp) noexcept {
    const auto& response = *static_cast<const std::string*>(ocsp);
    if (response.empty()) return SSL_TLSEXT_ERR_NOACK;
    void* copy = OPENSSL_memdup(response.data(), response.size());
    if (!copy) return SSL_TLSEXT_ERR_NOACK;
    SSL_set_tlsext_status_ocsp_resp(of, copy, static_cast<long>(response.size()));
    return SSL_TLSEXT_ERR_OK;
}

}  // namespace apus::tls
