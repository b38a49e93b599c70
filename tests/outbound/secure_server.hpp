// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/servers.hpp"

#include <apus/tls.hpp>

#include <string>

#include <unistd.h>

namespace apus::test {

/// An app behind TLS with a self-signed certificate for localhost, which clients with `options`
/// trust.
struct secure_server {
    explicit secure_server(app a, bool http2 = true) : up(on, std::move(a), {}, "127.0.0.1:0", served(http2)) {
        client_tls_options trusting;
        trusting.authorities = file;
        options.tls = client_tls(trusting);
    }
    ~secure_server() { unlink(file.c_str()); }

    /// Returns "https://localhost:8443" for this host and scheme.
    std::string url(const std::string& host, const std::string& scheme = "https") const {
        return scheme + "://" + host + up.url().substr(up.url().rfind(':'));
    }

    own_loop on;
    std::string file = "/tmp/apus_secure_server_" + std::to_string(getpid()) + ".pem";
    app_server up;
    client_options options;

private:
    server_tls served(bool http2) const {
        server_tls_options own;
        own.certificates = {{.certificate = file}};
        own.self_signed = true;
        server_tls made(own);
        REQUIRE(made->open(http2));
        return made;
    }
};

}  // namespace apus::test
