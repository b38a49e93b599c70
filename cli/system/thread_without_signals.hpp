// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace apus::cli::system {

/// Starts a thread with all signals blocked, so that the main thread receives them.
template <class Work>
std::thread thread_without_signals(Work&& work) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread made(std::forward<Work>(work));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made;
}

}  // namespace apus::cli::system
