// SPDX-License-Identifier: Apache-2.0
#include "server/starter.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace apus::server {
namespace {

// First bytes of messages to the starter process: a socket with its name (one message per socket), the request to start
// the program, and the request to kill the program started last.
constexpr char of_socket = 's', of_start = 'r', of_kill = 'k';
// First byte of the reply to `of_start` and `of_kill`. The reply contains the number of the request. After a start it
// also contains the ID of the new process, and a message if the start has failed.
constexpr char of_result = 'p';

bool send_message(int to, char kind, std::string_view text, int passed = -1) noexcept {
    iovec parts[] = {{&kind, 1}, {const_cast<char*>(text.data()), text.size()}};
    msghdr m{};
    m.msg_iov = parts;
    m.msg_iovlen = 2;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (passed >= 0) {
        m.msg_control = control;
        m.msg_controllen = sizeof control;
        cmsghdr* const c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(c), &passed, sizeof(int));
    }
    return sendmsg(to, &m, MSG_NOSIGNAL) >= 0;
}

struct message {
    char kind = 0;  // 0: the other end is closed
    std::string text = {};
    int passed = -1;
};

message read_request(int from) {
    char text[4096];
    iovec part{text, sizeof text};
    msghdr m{};
    m.msg_iov = &part;
    m.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    m.msg_control = control;
    m.msg_controllen = sizeof control;
    ssize_t n = 0;
    do n = recvmsg(from, &m, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n <= 0) return {};
    message got{text[0], std::string(text + 1, static_cast<std::size_t>(n) - 1)};
    const cmsghdr* const c = CMSG_FIRSTHDR(&m);
    if (c && c->cmsg_type == SCM_RIGHTS) std::memcpy(&got.passed, CMSG_DATA(c), sizeof(int));
    return got;
}

// The starter process, which runs outside of the sandbox.
class outside {
public:
    outside(const program_start& program, const sigset_t& mask, int channel)
        : program_(program), mask_(mask), channel_(channel) {}

    [[noreturn]] void run() {
        while (true) {
            const message m = read_request(channel_);
            if (m.kind == of_socket && m.passed >= 0) sockets_.push_back({m.passed, m.text});
            else if (m.kind == of_start && m.passed >= 0) start(m);
            else if (m.kind == of_kill) kill_last();
            else _exit(0);
        }
    }

private:
    void start(const message& m) {
        const auto started = program_.start_sibling(sockets_, m.passed, mask_, m.text);
        for (const auto& s : sockets_) close(s.fd);
        close(m.passed);
        sockets_.clear();
        last_ = started.failure.empty() ? started.pid : -1;
        reply(" " + std::to_string(started.pid) + " " + started.failure);
    }

    void kill_last() {
        if (last_ > 1) {
            ::kill(-last_, SIGKILL);
            ::kill(last_, SIGKILL);
        }
        last_ = -1;  // after the reply, the server waits for the process, and the kernel may use its ID again
        reply("");
    }

    void reply(const std::string& text) { send_message(channel_, of_result, std::to_string(++requests_) + text); }

    const program_start& program_;
    const sigset_t mask_;
    const int channel_;
    std::vector<passed_socket> sockets_;
    pid_t last_ = -1;
    unsigned requests_ = 0;
};

// Runs the starter in the forked process. Closes all descriptors except the standard streams and the channel. Signals
// of the terminal remain blocked, as in the server.
[[noreturn]] void become_starter(const program_start& program, const sigset_t& mask, int channel, pid_t server) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != server) _exit(0);
    prctl(PR_SET_NAME, "apus-starter");
    constexpr int kept = 3;
    if (channel != kept) dup2(channel, kept);
    fcntl(kept, F_SETFD, FD_CLOEXEC);
    close_range(kept + 1, ~0U, 0);
    outside(program, mask, kept).run();
}

}  // namespace

starter::starter(const program_start& program, const sigset_t& mask, std::chrono::milliseconds longest_wait)
    : longest_wait_(longest_wait) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return;
    const pid_t self = getpid();
    pid_ = fork();
    if (pid_ == 0) become_starter(program, mask, ends[1], self);
    close(ends[1]);
    channel_ = ends[0];
    const timeval longest{longest_wait_.count() / 1000, longest_wait_.count() % 1000 * 1000};
    setsockopt(channel_, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
}

starter::~starter() {
    if (channel_ >= 0) close(channel_);
    // The starter exits when the channel is closed. If it was stopped by SIGSTOP, the kernel kills it when this process
    // ends (PR_SET_PDEATHSIG).
    for (int ms = 0; pid_ > 0 && ms < 100 && waitpid(pid_, nullptr, WNOHANG) == 0; ++ms) poll(nullptr, 0, 1);
}

std::expected<pid_t, std::string> starter::start(std::span<const passed_socket> sockets, int channel,
                                                 const std::string& notify) {
    constexpr const char* ended = "the process that starts programs outside of the sandbox has ended";
    if (channel_ < 0 || pid_ < 0) return std::unexpected(ended);
    for (const auto& s : sockets)
        if (!send_message(channel_, of_socket, s.name, s.fd)) return std::unexpected(ended);
    if (!send_message(channel_, of_start, notify, channel)) return std::unexpected(ended);
    const auto reply = read_reply(++requests_);
    if (!reply) {  // if the program starts later, it is killed at once
        if (send_message(channel_, of_kill, "")) ++requests_;
        return std::unexpected("the program was not started in time");
    }
    pid_t pid = -1;
    const char* const end = reply->data() + reply->size();
    const auto number = std::from_chars(reply->data(), end, pid);
    if (number.ptr == reply->data()) return std::unexpected(ended);
    if (number.ptr + 1 == end) return pid;
    if (pid > 0) waitpid(pid, nullptr, 0);
    return std::unexpected(std::string(number.ptr + 1, end));
}

// Returns the reply to a request: empty if the starter has ended, nothing after a timeout. Discards replies to earlier
// requests, which have timed out.
std::optional<std::string> starter::read_reply(unsigned request) {
    const auto until = std::chrono::steady_clock::now() + longest_wait_;
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        pollfd reply{channel_, POLLIN, 0};
        const int readable = left.count() > 0 ? poll(&reply, 1, static_cast<int>(left.count())) : 0;
        if (readable < 0 && errno == EINTR) continue;
        if (readable <= 0) return {};
        const message m = read_request(channel_);
        if (m.kind != of_result) return "";
        unsigned number = 0;
        const char* const end = m.text.data() + m.text.size();
        const char* const rest = std::from_chars(m.text.data(), end, number).ptr;
        const std::string_view content(std::min(rest + 1, end), end);
        if (number == request) return std::string(content);
        discard(content);
    }
}

// The reply after that of a late start confirms that the program has its SIGKILL, so that it ends soon.
void starter::discard(std::string_view reply) noexcept {
    for (int ms = 0; late_ > 0 && ms < 1000 && waitpid(late_, nullptr, WNOHANG) == 0; ++ms) poll(nullptr, 0, 1);
    late_ = -1;
    std::from_chars(reply.data(), reply.data() + reply.size(), late_);
}

void starter::kill() noexcept try {
    if (channel_ >= 0 && pid_ >= 0 && send_message(channel_, of_kill, "")) read_reply(++requests_);
} catch (const std::bad_alloc&) {
    return;  // the signal was requested, but has perhaps not been sent yet
}

}  // namespace apus::server
