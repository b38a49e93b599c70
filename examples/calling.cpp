// SPDX-License-Identifier: Apache-2.0
// A WebSocket client of the example `echo`, which must run with --listen 127.0.0.1:8081, or of the URL in ECHO, such as
// wss://localhost:8443/ws. AUTHORITIES is a file with the CA certificates for that server.
#include <apus/tls.hpp>
#include <apus/websocket_client.hpp>

#include <cstdlib>
#include <string>

namespace {

std::string from_environment(const char* name, const char* otherwise) {
    const char* text = std::getenv(name);
    return text ? text : otherwise;
}

// Sends a text to the echo server, and returns its reply.
apus::task<std::string> ask(apus::client http, std::string url, std::string text) {
    apus::websocket_request req(url);
    auto chat = co_await apus::connect_websocket(http, std::move(req));
    co_await chat->send(text);
    std::string heard;
    if (auto answer = co_await chat->receive()) heard = answer->bytes;
    chat->close();
    while (co_await chat->receive()) {}
    co_return heard;
}

apus::app make_app(const apus::client_tls& trusted) {
    apus::client_options asking;
    asking.tls = trusted;
    apus::client http(asking);

    const std::string url = from_environment("ECHO", "ws://127.0.0.1:8081/ws");
    apus::app app;
    app.get("/ask/{text}", [http, url](std::string text) { return ask(http, url, std::move(text)); });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    apus::client_tls_options trusting;
    trusting.authorities = from_environment("AUTHORITIES", "");
    const apus::client_tls trusted(trusting);  // once for all cores
    return apus::serve([&trusted] { return make_app(trusted); }, argc, argv);
}
