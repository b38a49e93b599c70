// SPDX-License-Identifier: Apache-2.0
// The environment variable DATA is the folder of the data. Default: the folder of this example, relative to the root of
// the repository. Port 8081 accepts only HTTP/1.1 over TLS, port 8082 only HTTP/2 without TLS. Without `--certificate
// FILE --key FILE` the certificate is self-signed. DATABASE_URL is a PostgreSQL database with the tables `items` and
// `fortune`, DATABASE_MAX_CONN the limit of connections to it; without the URL, the routes that need it are omitted.
#include "arena/app.hpp"

#include <apus/tls.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

apus::serve_options listeners() {
    apus::server_tls_options tls;
    tls.self_signed = true;
    apus::serve_options options;
    options.listen = {"http://127.0.0.1:8080", "https://127.0.0.1:8081,http/1.1", "http://127.0.0.1:8082,h2c",
                      "https://127.0.0.1:8443"};
    options.tls = apus::server_tls(tls);
    return options;
}

std::optional<apus::sql::database> database() {
    const char* url = std::getenv("DATABASE_URL");
    const char* most = std::getenv("DATABASE_MAX_CONN");
    if (!url) return std::nullopt;
    return apus::sql::database(url, {.connections = most ? static_cast<unsigned>(std::strtoul(most, nullptr, 10)) : 0});
}

}  // namespace

int main(int argc, char** argv) {
    const char* folder = std::getenv("DATA");
    try {
        arena::data data = arena::read_data(folder ? folder : "examples/arena");
        data.database = database();
        return apus::serve([&data] { return arena::make_app(data); }, argc, argv, listeners());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "arena: %s\n", error.what());
        return 1;
    }
}
