// SPDX-License-Identifier: Apache-2.0
#include "transport.hpp"

#include <apus/tls.hpp>

apus::serve_options transport(const std::string& data) {
    apus::tls_options tls;
    tls.certificates = {{.certificate = data + "/cert.pem", .key = data + "/key.pem"}};
    apus::serve_options options;
    options.tls = apus::tls_server(tls);
    return options;
}
