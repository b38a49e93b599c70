// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/running_program.hpp"

#include <charconv>
#include <chrono>
#include <csignal>
#include <utility>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/system/thread_without_signals.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::dev {

namespace {

constexpr int exit_poll = 100;  // milliseconds between checks
constexpr auto drain_grace = std::chrono::milliseconds(exit_poll);
constexpr auto drain_timeout = std::chrono::seconds(4);  // programs drain for two seconds

}  // namespace

running_program::running_program(system::invocation what, terminal::shell& shell,
                                 std::unique_ptr<work::sanitizer_reports> reports, report_handler on_report)
    : shell_(shell), reports_(std::move(reports)), on_report_(std::move(on_report)) {
    if (reports_) reports_->direct(what);
    child_ = system::start_with_output(what);
    relay_ = system::thread_without_signals([this] { relay(); });
}

running_program::~running_program() {
    retire();
    // On Ctrl-C, the terminal has also sent SIGINT to the program. A second signal would abort the program's requests.
    if (system::received_signal() != SIGINT) terminate();
    relay_.join();
    close(child_.output);
}

void running_program::take_line(const std::string& line) {
    constexpr std::string_view says = "listening on ";
    if (!line.starts_with(says)) return shell_.copy_output(line + "\n");
    const std::size_t colon = line.rfind(':');
    std::uint16_t port = 0;
    if (colon != line.npos) std::from_chars(line.data() + colon + 1, line.data() + line.size(), port);
    const std::lock_guard hold(lock_);
    if (port_ == 0) port_ = port;
    state_changed_.notify_all();
}

void running_program::relay() {
    std::string begun;
    char piece[4096];
    for (ssize_t n; waits_for_output() && (n = read(child_.output, piece, sizeof piece)) > 0;) {
        begun.append(piece, static_cast<std::size_t>(n));
        for (std::size_t end; (end = begun.find('\n')) != begun.npos; begun.erase(0, end + 1))
            take_line(begun.substr(0, end));
    }
    while (!has_exited(exit_poll)) kill_after_timeout();
    read_reports(true);
    const std::lock_guard hold(lock_);
    ended_ = true, status_ = system::end(child_.pid, 0);
    state_changed_.notify_all();
    if (port_ && !retired_ && !system::received_signal())
        shell_.event("Ended", "the program, " + exit_description() + "; the next change restarts it");
}

// Returns false when the program has exited. Does not wait for the end of the stream, since child processes of the
// program may keep the stream open.
bool running_program::waits_for_output() {
    for (;;) {
        pollfd waits{child_.output, POLLIN, 0};
        const bool some = poll(&waits, 1, exit_poll) > 0;
        kill_after_timeout();
        if (!some) read_reports(false);
        if (some) return true;
        if (has_exited(0)) return false;
    }
}

void running_program::read_reports(bool has_ended) {
    const std::string report = reports_ ? reports_->news(has_ended) : std::string();
    if (report.empty()) return;
    shell_.copy_error(report);
    std::unique_lock hold(lock_);
    reported_ += report;
    const bool is_of_now = port_ != 0 && !retired_;
    const std::string all = reported_;
    hold.unlock();
    if (is_of_now) on_report_(all);
}

bool running_program::has_exited(int milliseconds) const {
    siginfo_t about{};
    const auto looks = [&] {
        return waitid(P_PID, static_cast<id_t>(child_.pid), &about, WEXITED | WNOHANG | WNOWAIT) == 0 &&
               about.si_pid != 0;
    };
    if (looks()) return true;
    if (milliseconds) std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    return milliseconds && looks();
}

void running_program::terminate() {
    const std::lock_guard hold(lock_);
    if (!ended_ && !std::exchange(terminated_, true)) kill(child_.pid, SIGTERM);
}

// Kills a retired program that does not end in time, for example because a handler never returns. Such a program would
// use a CPU forever and prevent `apus dev` from exiting.
void running_program::kill_after_timeout() {
    std::optional<std::chrono::steady_clock::duration> since;
    {
        const std::lock_guard hold(lock_);
        if (retired_) since = std::chrono::steady_clock::now() - *retired_;
    }
    if (since && *since >= drain_grace) terminate();
    if (since && *since > drain_timeout) kill(child_.pid, SIGKILL);
}

std::uint16_t running_program::wait_for_port() {
    std::unique_lock hold(lock_);
    while (port_ == 0 && !ended_) {
        state_changed_.wait_for(hold, std::chrono::milliseconds(200));
        system::throw_if_interrupted();
    }
    return ended_ ? 0 : port_;
}

void running_program::retire() {
    const std::lock_guard hold(lock_);
    if (ended_ || retired_) return;
    retired_ = std::chrono::steady_clock::now();
}

bool running_program::has_ended() const {
    const std::lock_guard hold(lock_);
    return ended_;
}

std::string running_program::reported() const {
    const std::lock_guard hold(lock_);
    return reported_;
}

std::string running_program::end() const {
    const std::lock_guard hold(lock_);
    return exit_description();
}

std::string running_program::exit_description() const {
    const std::string how = (system::is_crash(status_) ? "by " : "with ") + system::name_of_status(status_);
    return system::is_crash(status_) && !reports_ ? how + " (`apus dev --sanitize address` or `--gdb` shows where)"
                                                  : how;
}

}  // namespace apus::cli::dev
