// SPDX-License-Identifier: Apache-2.0
// A WebSocket that sends back each message. MESSAGE is the maximum size of a message in bytes; COMPRESS is the minimum
// size of a message to compress.
#include <apus/websocket.hpp>

#include <cstdlib>
#include <string>

// Text is sent back as text, binary data as binary data.
apus::task<> echo(apus::websocket peer) {
    while (auto message = co_await peer.receive()) co_await peer.send(*message);
}

apus::app make_app() {
    apus::websocket_options bounds;
    if (const char* from = std::getenv("COMPRESS"))
        bounds.compress = true, bounds.compress_from = static_cast<unsigned>(std::stoul(from));
    if (const char* bytes = std::getenv("MESSAGE")) bounds.message = std::stoull(bytes), bounds.fragments = 1'000'000;

    apus::app app;
    app.websocket("/ws", echo, bounds);
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
