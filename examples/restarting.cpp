// SPDX-License-Identifier: Apache-2.0
// A server that is replaced by a new version without losing a request, and a WebSocket that continues after it.
#include <apus/websocket.hpp>

#include <cstdint>
#include <string>

// Counts up with each message. A client that was disconnected by a restart continues with `/count/{n}`.
apus::task<> count(std::uint64_t n, apus::websocket peer) {
    while (co_await peer.receive()) {
        co_await peer.send(std::to_string(++n));
        peer.resume_hint("/count/" + std::to_string(n));
    }
}

apus::app make_app() {
    apus::app app;
    app.get("/", [] { return "hello\n"; });
    app.websocket("/count/{n}", count);
    return app;
}

int main(int argc, char** argv) {
    apus::serve_options options;
    options.pid_file = "/tmp/restarting.pid";
    options.restart_deadline = apus::seconds(10);
    return apus::serve(make_app, argc, argv, options);
}
