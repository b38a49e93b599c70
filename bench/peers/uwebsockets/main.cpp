// SPDX-License-Identifier: Apache-2.0

#include "endpoints.hpp"

#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct thread_of_app {
    uWS::Loop* loop;
    uWS::App* app;
};

// Topics belong to one app, so a broadcast is passed to the loop of each app.
std::mutex all_guard;
std::vector<thread_of_app> all;

void publish(std::string_view text, uWS::OpCode code) {
    const std::lock_guard lock(all_guard);
    for (const auto& other : all) {
        if (other.loop == uWS::Loop::get()) {
            other.app->publish("everybody", text, code);
            continue;
        }
        other.loop->defer(
            [app = other.app, message = std::string(text), code] { app->publish("everybody", message, code); });
    }
}

void add_broadcast(uWS::App& app) {
    app.ws<peer::nothing>("/broadcast",
                          {.maxPayloadLength = 1 << 20,
                           .maxBackpressure = 16 << 20,
                           .open = [](auto* ws) { ws->subscribe("everybody"); },
                           .message = [](auto*, std::string_view text, uWS::OpCode code) { publish(text, code); }});
}

template <class App>
void listen(App& app, int port) {
    app.listen("127.0.0.1", port, [port](auto* socket) {
        if (socket) return;
        std::cerr << "uwebsockets: cannot listen on port " << port << "\n";
        std::exit(1);
    });
}

void serve(int port, int tls_port) {
    uWS::App app;
    peer::add_text(app);
    peer::add_bodies(app);
    peer::add_sum(app);
    peer::add_routes(app);
    peer::add_echo(app);
    add_broadcast(app);
    listen(app, port);

    const std::string data = std::getenv("DATA");
    const std::string key = data + "/key.pem";
    const std::string certificate = data + "/cert.pem";
    uWS::SSLApp secure({.key_file_name = key.c_str(), .cert_file_name = certificate.c_str()});
    peer::add_text(secure);
    if (tls_port) listen(secure, tls_port);

    {
        const std::lock_guard lock(all_guard);
        all.push_back({uWS::Loop::get(), &app});
    }
    app.run();
}

}  // namespace

int main() {
    if (!std::getenv("DATA")) {
        std::cerr << "uwebsockets: set DATA to the folder with cert.pem and key.pem\n";
        return 1;
    }
    const int port = peer::number_from("PORT", 8080);
    const int tls_port = peer::number_from("TLS_PORT", 0);
    std::vector<std::thread> others;
    for (int i = 1; i < peer::number_from("THREADS", 1); ++i) others.emplace_back(serve, port, tls_port);
    serve(port, tls_port);
    for (auto& other : others) other.join();
}
