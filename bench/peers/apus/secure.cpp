// SPDX-License-Identifier: Apache-2.0
#include "transport.hpp"

#include <apus/tls.hpp>

apus::serve_options transport(const std::string& data) {
    apus::server_tls_options tls;
    tls.certificates = {{.certificate = data + "/cert.pem", .key = data + "/key.pem"}};
    apus::serve_options options;
    options.tls = apus::server_tls(tls);
    return options;
}
