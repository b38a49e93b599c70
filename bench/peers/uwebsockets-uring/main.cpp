// SPDX-License-Identifier: Apache-2.0

#include "endpoints.hpp"

#include <iostream>
#include <sys/prctl.h>
#include <csignal>
#include <unistd.h>

namespace {

void serve(int port) {
    uWS::App app;
    peer::add_text(app);
    peer::add_bodies(app);
    peer::add_sum(app);
    peer::add_routes(app);
    peer::add_echo(app);
    app.listen("127.0.0.1", port, [port](auto* socket) {
        if (socket) return;
        std::cerr << "uwebsockets-uring: cannot listen on port " << port << "\n";
        std::exit(1);
    });
    app.run();
}

}  // namespace

// All threads share one global array of receive buffers, so each core gets its own process.
int main() {
    const pid_t first = getpid();
    for (int i = 1; i < peer::number_from("THREADS", 1); ++i) {
        if (fork() != 0) continue;
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != first) return 1;
        break;
    }
    serve(peer::number_from("PORT", 8080));
}
