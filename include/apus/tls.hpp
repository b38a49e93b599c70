// SPDX-License-Identifier: Apache-2.0
#pragma once

// TLS for a server: certificates, which clients are let in, and who they are; and for a client. What
// it is given to is `serve_options::tls`, in serve.hpp, and `client_options::tls`, in client.hpp. A
// program that makes one of the two needs OpenSSL's libssl at run time.

#include <apus/detail/parameters.hpp>
#include <apus/serve.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus {

/// A certificate, in files that are read again when they change.
struct tls_certificate {
    std::string certificate = {};  ///< PEM: the certificate, then those that lead to a root.
    std::string key = {};          ///< PEM: its private key, without a passphrase. Empty: in the same file.
    std::string ocsp = {};         ///< DER: an OCSP response (RFC 6960) that is shown with it. Empty: none.
};

/// The oldest version that is spoken. The newest is 1.3.
enum class tls_version : std::uint8_t {
    tls_1_2,
    tls_1_3,
};

/// Whether clients must show a certificate that one of `client_authorities` has signed.
enum class client_certificates : std::uint8_t {
    required,  ///< Without one the handshake fails.
    optional,  ///< Who shows none is let in, and who shows a wrong one is not.
};

/// How TLS is spoken. The defaults are those of Mozilla's "intermediate": versions 1.2 and 1.3, only
/// ciphers with forward secrecy that also authenticate. There is no renegotiation, no compression
/// and no early data. Sessions are resumed by tickets, whose keys all cores share and change every
/// twelve hours.
struct tls_options {
    /// Which is shown is decided by the name that the client asks for (SNI) and the names in the
    /// certificates, of which one label may be `*`. The first is shown to who asks for another name, or none.
    std::vector<tls_certificate> certificates = {};

    /// For development. Without `certificates`: one for localhost, signed by itself and kept in memory.
    /// Where the files of the first are missing: they are written with such a one.
    bool self_signed = false;

    tls_version least = tls_version::tls_1_2;  ///< Older ones are refused.

    /// PEM: the certificates of who may sign those of clients. Empty: clients are not asked for one.
    std::string client_authorities = {};
    client_certificates clients = client_certificates::required;  ///< Where there are `client_authorities`.
};

/// How a client speaks TLS. Servers must show a certificate for the host of the URL that an authority has
/// signed; there is no way to do without. By versions 1.2 and 1.3.
struct tls_client_options {
    /// PEM: the certificates of who may sign those of servers. Empty: those that the system trusts.
    std::string authorities = {};
    /// What is shown to servers that ask for one. Empty: none. Its `ocsp` is not used.
    tls_certificate certificate = {};
    tls_version least = tls_version::tls_1_2;  ///< Older ones are refused.
};

/// The certificate that a client has shown, and that was checked.
struct peer_certificate {
    std::string subject;                 ///< Its name (RFC 4514), such as "CN=worker-7,O=Example".
    std::string issuer;                  ///< Who has signed it.
    std::string serial;                  ///< Its number, in hexadecimal digits.
    std::vector<std::string> dns_names;  ///< The subject's alternative names: hosts,
    std::vector<std::string> emails;     ///< addresses of mail,
    std::vector<std::string> uris;       ///< and URIs, such as those of SPIFFE.
    std::string fingerprint;             ///< SHA-256 of all of it, 64 lower-case hexadecimal digits.
};

/// What is known of the TLS that a request came by.
struct tls_info {
    std::string_view version;      ///< "TLSv1.2" or "TLSv1.3".
    std::string_view server_name;  ///< What the client asked for by SNI, in the case it was written in, or empty.
    const peer_certificate* peer;  ///< Null where the client has shown none.
};

/// Of the connection that a request has come on; null where that is not secure. Valid as long as the
/// request. A proxy in front ends TLS itself: what it says is in `client_info`.
const tls_info* tls_of(request&);

}  // namespace apus
