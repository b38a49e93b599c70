// SPDX-License-Identifier: Apache-2.0
#pragma once

// TLS for servers (certificates, client authentication) and for clients. Options: `serve_options::tls` in serve.hpp and
// `client_options::tls` in client.hpp. Programs that use TLS need OpenSSL's libssl at run time.

#include <apus/detail/parameters.hpp>
#include <apus/serve.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus {

/// Files of a certificate. The server reloads files that change.
struct tls_certificate {
    std::string certificate = {};  ///< PEM: the certificate, followed by its intermediate certificates.
    std::string key = {};          ///< PEM: the private key, without a passphrase. Empty: in `certificate`.
    std::string ocsp = {};         ///< DER: an OCSP response (RFC 6960) to staple. Empty: not sent.
};

/// Minimum TLS version. The maximum is 1.3.
enum class tls_version : std::uint8_t {
    tls_1_2,
    tls_1_3,
};

/// Whether clients must present a certificate that one of `client_authorities` has signed.
enum class client_certificates : std::uint8_t {
    required,  ///< Without a certificate the handshake fails.
    optional,  ///< Clients may omit the certificate. Invalid certificates are rejected.
};

/// TLS options of a server.
/// The defaults follow Mozilla's "intermediate" profile: versions 1.2 and 1.3, only AEAD ciphers with forward secrecy.
/// Renegotiation, compression and early data are disabled. Sessions are resumed by tickets. All cores share the ticket
/// keys, which change every twelve hours.
struct server_tls_options {
    /// Certificates, one of which is selected by the client's SNI.
    /// The server sends the certificate whose names match the SNI; a label of a name may be `*`. For other names, and
    /// without SNI, it sends the first certificate.
    std::vector<tls_certificate> certificates = {};

    /// Creates a self-signed certificate, for development.
    /// If `certificates` is empty, the certificate is for localhost and is kept in memory. If the files of the first
    /// certificate are missing, a self-signed certificate is written to them.
    bool self_signed = false;

    tls_version min_version = tls_version::tls_1_2;  ///< Older versions are rejected.

    /// PEM file with the certificate authorities for client certificates.
    /// Empty: the server does not request certificates from clients.
    std::string client_authorities = {};
    client_certificates clients = client_certificates::required;  ///< Used with `client_authorities`.
};

/// TLS options of a client.
/// Servers must present a certificate for the host of the URL, signed by a trusted authority; verification cannot be
/// disabled. Versions 1.2 and 1.3.
struct client_tls_options {
    /// PEM file with trusted CA certificates. Empty: the CA certificates of the system.
    std::string authorities = {};
    /// Client certificate, for servers that request one.
    /// Empty: not sent. `tls_certificate::ocsp` is not used.
    tls_certificate certificate = {};
    tls_version min_version = tls_version::tls_1_2;  ///< Older versions are rejected.
};

/// A verified client certificate.
struct peer_certificate {
    std::string subject;                 ///< Subject name (RFC 4514): "CN=worker-7,O=Example".
    std::string issuer;                  ///< Issuer name.
    std::string serial;                  ///< Serial number, in hexadecimal digits.
    std::vector<std::string> dns_names;  ///< Subject alternative names that are host names.
    std::vector<std::string> emails;     ///< Subject alternative names that are e-mail addresses.
    std::vector<std::string> uris;       ///< Subject alternative names that are URIs, as in SPIFFE.
    std::string fingerprint;             ///< SHA-256 of the certificate: 64 lower-case hex digits.
};

/// TLS connection of a request.
struct tls_info {
    std::string_view version;      ///< "TLSv1.2" or "TLSv1.3".
    std::string_view server_name;  ///< SNI host name, in the client's spelling, or empty.
    const peer_certificate* peer;  ///< Null if the client has presented no certificate.
};

/// Returns the TLS state of the request's connection; null without TLS.
/// Valid as long as the request. If a proxy terminates TLS, see `client_info`.
const tls_info* tls_of(request&);

}  // namespace apus
