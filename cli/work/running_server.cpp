// SPDX-License-Identifier: Apache-2.0
#include "cli/work/running_server.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::work {

namespace {

errors::failure no_restart(const std::string& why, std::string hint = {}) {
    return errors::failure("E0317", why, std::move(hint));
}

// The abstract Unix socket on which this process receives the server's report. Its name contains the id of this
// process. src/server/restart_report.cpp sends the report.
class report_socket {
public:
    report_socket() : fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        const std::string name = "apus-restart-" + std::to_string(getpid());
        sockaddr_un at{};
        at.sun_family = AF_UNIX;
        std::memcpy(at.sun_path + 1, name.data(), name.size());
        const int on = 1;
        setsockopt(fd_, SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
        const auto size = static_cast<socklen_t>(sizeof at.sun_family + 1 + name.size());
        if (bind(fd_, reinterpret_cast<const sockaddr*>(&at), size) != 0) {
            const int error = errno;
            close(fd_);
            throw errors::system_failure("cannot wait for the report at the socket @" + name, error);
        }
    }
    report_socket(const report_socket&) = delete;
    report_socket& operator=(const report_socket&) = delete;
    ~report_socket() { close(fd_); }

    // Returns a datagram from process `sender`, or an empty text after 100 ms. Ignores datagrams from other processes,
    // which can send to the socket too.
    std::string read_from(pid_t sender) const {
        constexpr int step = 100;  // milliseconds; the caller then checks for signals and the server's end
        pollfd readable{fd_, POLLIN, 0};
        if (poll(&readable, 1, step) <= 0) return {};
        char text[2048];
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];
        iovec part{text, sizeof text};
        msghdr m{};
        m.msg_iov = &part;
        m.msg_iovlen = 1;
        m.msg_control = control;
        m.msg_controllen = sizeof control;
        const ssize_t n = recvmsg(fd_, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        const cmsghdr* const c = n > 0 ? CMSG_FIRSTHDR(&m) : nullptr;
        ucred from{};
        if (c && c->cmsg_type == SCM_CREDENTIALS) std::memcpy(&from, CMSG_DATA(c), sizeof from);
        return from.pid == sender ? std::string(text, static_cast<std::size_t>(n)) : std::string();
    }

private:
    int fd_;
};

// Returns true if the process blocks SIGUSR2. Servers block this signal and read it from a descriptor. The signal would
// terminate a process that neither blocks nor handles it.
bool expects_signal(pid_t process) {
    std::ifstream in("/proc/" + std::to_string(process) + "/status");
    constexpr std::uint64_t bit = std::uint64_t{1} << (SIGUSR2 - 1);
    for (std::string line; std::getline(in, line);) {
        constexpr std::string_view key = "SigBlk:\t";
        if (!line.starts_with(key)) continue;
        std::uint64_t mask = 0;
        std::from_chars(line.data() + key.size(), line.data() + line.size(), mask, 16);
        return mask & bit;
    }
    return false;
}

}  // namespace

pid_t read_pid_file(const std::filesystem::path& file) {
    const std::string text = system::read_file(file);
    pid_t process = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), process);
    if (read.ec != std::errc() || process <= 0) throw no_restart(file.string() + " does not contain a process id");
    return process;
}

std::string restart_server(pid_t server, std::chrono::seconds longest) {
    const std::string name = "process " + std::to_string(server);
    if (::kill(server, 0) != 0 && errno == ESRCH) throw no_restart(name + " is not running");
    if (!expects_signal(server))
        throw no_restart(name + " is not a server that can be restarted",
                         "the program does not use Apus, is still starting, or handles SIGUSR2 itself");
    const report_socket socket;
    if (::kill(server, SIGUSR2) != 0) throw errors::system_failure("cannot send SIGUSR2 to " + name, errno);
    const auto until = std::chrono::steady_clock::now() + longest;
    while (std::chrono::steady_clock::now() < until) {
        const std::string report = socket.read_from(server);
        system::throw_if_interrupted();
        if (report.starts_with("ok ")) return report.substr(3);
        if (report.starts_with("no ")) throw no_restart("restart failed: " + report.substr(3), name + " continues");
        if (report.empty() && ::kill(server, 0) != 0 && errno == ESRCH) throw no_restart(name + " has ended");
    }
    throw no_restart("no report from " + name + " within " + std::to_string(longest.count()) + " s",
                     "the server's log has the result; a server in another container or of another user cannot report");
}

}  // namespace apus::cli::work
