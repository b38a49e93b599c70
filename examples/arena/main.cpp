// SPDX-License-Identifier: Apache-2.0
// The environment variable DATA is the folder of the data. Default: the folder of this example, relative to the root of
// the repository. Port 8081 accepts only HTTP/1.1 over TLS, port 8082 only HTTP/2 without TLS. Without `--certificate
// FILE --key FILE` the certificate is self-signed.
#include "arena/app.hpp"

#include <apus/tls.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

apus::serve_options listeners() {
    apus::tls_options tls;
    tls.self_signed = true;
    apus::serve_options options;
    options.listen = {"http://127.0.0.1:8080", "https://127.0.0.1:8081,http/1.1", "http://127.0.0.1:8082,h2c",
                      "https://127.0.0.1:8443"};
    options.tls = apus::tls_server(tls);
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    const char* folder = std::getenv("DATA");
    try {
        const arena::data data = arena::read_data(folder ? folder : "examples/arena");
        return apus::serve([&data] { return arena::make_app(data); }, argc, argv, listeners());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "arena: %s\n", error.what());
        return 1;
    }
}
