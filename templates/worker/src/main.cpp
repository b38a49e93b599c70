// SPDX-License-Identifier: Apache-2.0
#include <csignal>

#include "app.hpp"

int main(int argc, char** argv) {
    // Only the main thread handles signals, so that SIGTERM lets a round finish.
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGINT);
    pthread_sigmask(SIG_BLOCK, &stops, nullptr);

    work done(std::chrono::seconds(10));
    return apus::serve([&done] { return make_app(done); }, argc, argv);
}
