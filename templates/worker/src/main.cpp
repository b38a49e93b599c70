// SPDX-License-Identifier: Apache-2.0
#include <csignal>

#include "app.hpp"

int main(int argc, char** argv) {
    // Blocks signals in all threads; the server receives them from a descriptor. SIGTERM does not interrupt a round.
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGINT);
    pthread_sigmask(SIG_BLOCK, &stops, nullptr);

    work done(std::chrono::seconds(10));
    return apus::serve([&done] { return make_app(done); }, argc, argv);
}
