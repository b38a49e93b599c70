// SPDX-License-Identifier: Apache-2.0
// A client of a WebSocket: asks the example `echo`, which is to run with --listen 127.0.0.1:8081.
#include <apus/websocket_client.hpp>

#include <string>

// Says something to the echo on port 8081, and gives what comes back.
apus::task<std::string> ask(apus::client http, std::string text) {
    apus::websocket_request req("ws://127.0.0.1:8081/ws");
    auto chat = co_await apus::connect_websocket(http, std::move(req));
    co_await chat->send(text);
    std::string heard;
    if (auto answer = co_await chat->receive()) heard = answer->bytes;
    chat->close();
    while (co_await chat->receive()) {}
    co_return heard;
}

apus::app make_app() {
    apus::client http;
    apus::app app;
    app.get("/ask/{text}", [http](std::string text) { return ask(http, std::move(text)); });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
