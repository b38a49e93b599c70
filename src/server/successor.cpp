// SPDX-License-Identifier: Apache-2.0
#include "server/successor.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace apus::server {
namespace {

// Messages on the channel between the old and the new process.
constexpr std::string_view ready_message = "ready";
constexpr std::string_view failed_message = "failed ";  // followed by the reason
constexpr std::string_view serve_message = "serve ";    // followed by the process group of the old process
constexpr std::string_view serving_message = "serving";
constexpr std::string_view reload_message = "reload ";  // followed by 0
constexpr std::string_view stop_message = "stop ";      // followed by the signal

// A process that crashes shuts the channel down, and then has 10 s for its report (see crash_log.cpp).
constexpr successor::clock::duration crash_report_limit = std::chrono::seconds(12);

// Returns one message, or an empty text if no message has arrived. `ended`: the other process has closed the channel.
std::string read_message(int channel, bool& ended) {
    char text[1024];
    const ssize_t n = recv(channel, text, sizeof text, MSG_DONTWAIT);
    ended = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
    return n > 0 ? std::string(text, static_cast<std::size_t>(n)) : std::string();
}

// Returns the number after the first word of a message, or 0.
int number_after(std::string_view word, std::string_view message) {
    int number = 0;
    if (message.size() > word.size())
        std::from_chars(message.data() + word.size(), message.data() + message.size(), number);
    return number;
}

// Returns a message about how a child process has ended, or an empty text while it runs. The process remains waitable.
std::string end_of(pid_t child) {
    siginfo_t how{};
    if (waitid(P_PID, static_cast<id_t>(child), &how, WEXITED | WNOHANG | WNOWAIT) != 0)
        return errno == ECHILD ? "the new process has ended" : "";
    if (how.si_pid == 0) return "";
    if (how.si_code == CLD_EXITED) return "the new process exited with status " + std::to_string(how.si_status);
    const char* const name = sigabbrev_np(how.si_status);
    return "the new process was terminated by SIG" + std::string(name ? name : std::to_string(how.si_status).c_str());
}

}  // namespace

successor::successor(const program_start& from, starter* outside, std::span<const passed_socket> sockets,
                     const sigset_t& mask, const std::string& notify, clock::time_point deadline)
    : outside_(outside), deadline_(deadline) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        fail(std::string("no socket pair: ") + std::strerror(errno));
        return;
    }
    channel_ = ends[0];
    const auto started =
        outside ? outside->start(sockets, ends[1], notify) : from.start(sockets, ends[1], mask, notify);
    close(ends[1]);
    if (!started) {
        fail(started.error());
        return;
    }
    pid_ = *started;
    pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
}

successor::~successor() {
    // A process that has not ended would read the end of the channel as its release. The channel then stays open until
    // this process ends.
    if (!kill()) send(stop_message, SIGTERM);
    else if (channel_ >= 0) close(channel_);
    if (pidfd_ >= 0) close(pidfd_);
}

successor::state successor::fail(std::string why) {
    failure_ = std::move(why);
    return state_ = state::failed;
}

successor::state successor::look(clock::time_point now) {
    if (state_ != state::starting && state_ != state::taking_over && state_ != state::on_trial) return state_;
    const bool starts = state_ == state::starting;
    bool ended = false;
    std::string message = closed_ ? std::string() : read_message(channel_, ended);
    if (ended) {  // the process should end soon; its exit status is then the reason
        closed_ = true;
        // On trial, a signal may have stopped it, and it finishes requests.
        if (is_on_trial()) deadline_ = now + std::max(limits_.stop, crash_report_limit);
        else deadline_ = std::min(deadline_, now + crash_report_limit);
    }
    std::string how = end_of(pid_);
    // Its last message has the reason.
    while (!how.empty() && !message.empty() && !message.starts_with(failed_message))
        message = read_message(channel_, ended);
    if (message.starts_with(failed_message))
        return fail("the new process reports: " + message.substr(failed_message.size()));
    if (!how.empty()) return fail(std::move(how));
    if (starts && message == ready_message) return state_ = state::ready;
    if (state_ == state::taking_over && message == serving_message) {
        deadline_ = now + limits_.trial;
        state_ = state::on_trial;
    }
    if (now < deadline_) return state_;
    if (closed_) return fail("the new process does not serve");
    if (is_on_trial()) return state_ = state::serving;
    return fail(starts ? "the new process was not ready in time" : "the new process did not serve in time");
}

void successor::let_serve(const limits& within) noexcept {
    limits_ = within;
    send(serve_message, getpgrp());
    state_ = state::taking_over;
    deadline_ = clock::now() + within.start;
}

void successor::request_reload() noexcept { send(reload_message, 0); }

void successor::request_stop(int signal) noexcept {
    send(stop_message, signal);
    closed_ = true;
    deadline_ = clock::now() + limits_.stop;
}

// If send(2) fails, the new process has closed the channel, which the next `look` reports.
void successor::send(std::string_view word, int number) noexcept {
    char text[32];
    std::memcpy(text, word.data(), word.size());
    const char* const end = std::to_chars(text + word.size(), text + sizeof text, number).ptr;
    [[maybe_unused]] const auto sent =
        ::send(channel_, text, static_cast<std::size_t>(end - text), MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool successor::has_ended() noexcept {
    pollfd ended{pidfd_, POLLIN, 0};
    ended_ = ended_ || poll(&ended, 1, 0) == 1;
    return ended_;
}

int successor::exit_status() const noexcept {
    siginfo_t how{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &how, WEXITED | WNOHANG | WNOWAIT) != 0 || how.si_pid == 0) return 0;
    return how.si_code == CLD_EXITED ? how.si_status : 128 + how.si_status;
}

// This process accepts connections during the wait.
void successor::release() noexcept {
    constexpr int longest = 1000;  // milliseconds
    shutdown(channel_, SHUT_WR);
    pollfd closed = channel();
    poll(&closed, 1, longest);
    pid_ = -1;
}

// The process group contains the new process and the programs that it has started. The group is killed before the call
// of waitpid(2) for the new process, since afterwards the kernel may assign the ID to another group. Returns false if
// the process has not ended in time.
bool successor::kill() noexcept {
    if (pid_ < 0) return true;
    if (outside_) {
        outside_->kill();
    } else {
        ::kill(-pid_, SIGKILL);
        ::kill(pid_, SIGKILL);
    }
    constexpr int longest = 1000;  // milliseconds; exceeded only if the process is in an uninterruptible system call
    pollfd ended{pidfd_, POLLIN, 0};
    const bool done = poll(&ended, 1, longest) == 1;
    waitpid(pid_, nullptr, WNOHANG);
    pid_ = -1;
    return done;
}

predecessor::predecessor() {
    const char* const text = std::getenv("APUS_RESTART");
    if (!text) return;
    int fd = -1, type = 0;
    socklen_t size = sizeof type;
    const auto read = std::from_chars(text, text + std::strlen(text), fd);
    unsetenv("APUS_RESTART");
    if (read.ec != std::errc() || fd < 3 || getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return;
    if (type != SOCK_SEQPACKET) return;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    channel_ = fd;
}

predecessor::~predecessor() { close(); }

void predecessor::send(std::string_view text) noexcept {
    if (channel_ < 0) return;
    [[maybe_unused]] const auto sent = ::send(channel_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void predecessor::report_ready() noexcept {
    waits_ = true;
    send(ready_message);
}

void predecessor::report_failure(const std::string& why) noexcept {
    send((std::string(failed_message) + why).substr(0, 1000));
}

void predecessor::report_serving() noexcept {
    waits_ = true;
    send(serving_message);
}

bool predecessor::has_left() noexcept {
    bool ended = false;
    const std::string message = read_message(channel_, ended);
    if (message.starts_with(serve_message)) group_ = number_after(serve_message, message);
    waits_ = !ended && !message.starts_with(serve_message);
    return !waits_;
}

// Until the release, the old process can kill this process together with its process group.
predecessor::request predecessor::look() noexcept {
    request next;
    const std::string message = read_message(channel_, next.released);
    if (next.released && group_ > 1) setpgid(0, group_);  // fails in another session, which does not share the terminal
    if (message.starts_with(stop_message)) next.stop = number_after(stop_message, message);
    next.reload = message.starts_with(reload_message);
    return next;
}

void predecessor::close() noexcept {
    if (channel_ >= 0) ::close(std::exchange(channel_, -1));
}

}  // namespace apus::server
