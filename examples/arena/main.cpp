// SPDX-License-Identifier: Apache-2.0
// DATA names the folder of the data; by default that of this example, as seen from the root of the repository.
// HTTP/1.1 alone is spoken over TLS on 8081, HTTP/2 alone in clear text on 8082. Without `--certificate FILE --key FILE`
// the certificate is signed by itself.
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
