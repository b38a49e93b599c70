// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/running_program.hpp"

#include <charconv>
#include <chrono>
#include <csignal>

#include <unistd.h>

#include "cli/dev/quiet_thread.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::dev {

running_program::running_program(const system::invocation& what, terminal::shell& shell) : shell_(shell), child_(system::start_with_output(what)) {
    relay_ = quiet_thread([this] { relay(); });
}

running_program::~running_program() {
    retire();
    relay_.join();
    close(child_.output);
}

void running_program::take_line(const std::string& line) {
    constexpr std::string_view says = "listening on ";
    if (!line.starts_with(says)) return shell_.print(line + "\n");
    const std::size_t colon = line.rfind(':');
    std::uint16_t port = 0;
    if (colon != line.npos) std::from_chars(line.data() + colon + 1, line.data() + line.size(), port);
    const std::lock_guard hold(lock_);
    if (port_ == 0) port_ = port;
    news_.notify_all();
}

void running_program::relay() {
    std::string begun;
    char piece[4096];
    for (ssize_t n; (n = read(child_.output, piece, sizeof piece)) > 0;) {
        begun.append(piece, static_cast<std::size_t>(n));
        for (std::size_t end; (end = begun.find('\n')) != begun.npos; begun.erase(0, end + 1)) take_line(begun.substr(0, end));
    }
    const int status = system::end(child_.pid, 0);
    const std::lock_guard hold(lock_);
    ended_ = true, status_ = status;
    news_.notify_all();
}

std::uint16_t running_program::wait_for_port() {
    std::unique_lock hold(lock_);
    while (port_ == 0 && !ended_) {
        news_.wait_for(hold, std::chrono::milliseconds(200));
        system::throw_if_interrupted();
    }
    return ended_ ? 0 : port_;
}

void running_program::retire() {
    const std::lock_guard hold(lock_);
    if (!ended_) kill(child_.pid, SIGTERM);
}

bool running_program::has_ended() const {
    const std::lock_guard hold(lock_);
    return ended_;
}

int running_program::status() const {
    const std::lock_guard hold(lock_);
    return status_;
}

}  // namespace apus::cli::dev
