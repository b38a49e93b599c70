// SPDX-License-Identifier: Apache-2.0
#include "cli/work/background_program.hpp"

#include <chrono>
#include <csignal>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/system/thread_without_signals.hpp"

namespace apus::cli::work {

namespace {

constexpr int poll_interval = 100;  // milliseconds between checks
constexpr auto kill_timeout = std::chrono::seconds(4);

}  // namespace

background_program::background_program(const system::invocation& what) : child_(system::start_with_output(what)) {}

background_program::~background_program() {
    const auto begin = std::chrono::steady_clock::now();
    kill(child_.pid, SIGTERM);
    while (!has_ended() && std::chrono::steady_clock::now() - begin < kill_timeout)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    system::end(child_.pid, has_ended() ? 0 : SIGKILL);
    over_ = true;
    if (drain_.joinable()) drain_.join();
    close(child_.output);
}

std::string background_program::wait_for_url() {
    constexpr std::string_view says = "listening on ";
    std::string said;
    char piece[1024];
    for (ssize_t n; (n = read(child_.output, piece, sizeof piece)) > 0;) {
        said.append(piece, static_cast<std::size_t>(n));
        const std::size_t at = said.find(says), end = said.find('\n', at);
        if (at == said.npos || end == said.npos) continue;
        drain_ = system::thread_without_signals([this] { drain(); });
        return said.substr(at + says.size(), end - at - says.size());
    }
    return "";
}

bool background_program::has_ended() const noexcept {
    siginfo_t about{};
    return waitid(P_PID, static_cast<id_t>(child_.pid), &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid != 0;
}

// Reads and discards output: a full pipe would block the program.
void background_program::drain() {
    char piece[4096];
    while (!over_) {
        pollfd waits{child_.output, POLLIN, 0};
        if (poll(&waits, 1, poll_interval) > 0 && read(child_.output, piece, sizeof piece) <= 0) return;
    }
}

}  // namespace apus::cli::work
