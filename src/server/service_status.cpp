// SPDX-License-Identifier: Apache-2.0
#include "server/service_status.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace apus::server {
namespace {

constexpr std::size_t max_descriptors = 253;  // per message (SCM_MAX_FD)

template <class T>
T number_in(const char* variable) {
    const char* const text = std::getenv(variable);
    T value = 0;
    if (text && std::from_chars(text, text + std::strlen(text), value).ec != std::errc()) value = 0;
    return value;
}

}  // namespace

service_status::service_status() {
    const char* const where = std::getenv("NOTIFY_SOCKET");
    // vsock addresses, for virtual machines, are not supported.
    if (!where || (*where != '/' && *where != '@') || std::strlen(where) >= sizeof(sockaddr_un::sun_path)) return;
    address_ = where;
    if (address_[0] == '@') address_[0] = '\0';
    store_size_ = number_in<unsigned>("FDSTORE");
    const auto watched = number_in<pid_t>("WATCHDOG_PID");
    const auto microseconds = number_in<std::uint64_t>("WATCHDOG_USEC");
    if (microseconds && (watched == 0 || watched == getpid()))
        watchdog_interval_ = std::max<std::uint64_t>(microseconds / 2000, 1);
}

void service_status::reloading() const noexcept {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    char text[64] = "RELOADING=1\nMONOTONIC_USEC=";
    char* const end = text + std::strlen(text);
    const auto microseconds =
        static_cast<std::uint64_t>(t.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(t.tv_nsec) / 1000;
    send({text, std::to_chars(end, text + sizeof text, microseconds).ptr});
}

void service_status::set_main_process(pid_t pid) const noexcept {
    char text[64] = "READY=1\nMAINPID=";
    char* const end = text + std::strlen(text);
    send({text, std::to_chars(end, text + sizeof text, pid).ptr});
}

void service_status::store(std::span<const int> sockets, std::string_view name) const noexcept {
    const std::string message = "FDSTORE=1\nFDNAME=" + std::string(name);
    for (; !sockets.empty(); sockets = sockets.subspan(std::min(sockets.size(), max_descriptors)))
        send(message, sockets.first(std::min(sockets.size(), max_descriptors)));
}

void service_status::remove_stored(std::string_view name) const noexcept {
    send("FDSTOREREMOVE=1\nFDNAME=" + std::string(name));
}

void service_status::send(std::string_view message, std::span<const int> descriptors) const noexcept {
    if (address_.empty()) return;
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    const timeval longest{1, 0};  // sendmsg(2) waits up to 1 s if the manager's queue is full
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    std::memcpy(to.sun_path, address_.data(), address_.size());
    iovec part{const_cast<char*>(message.data()), message.size()};
    msghdr m{};
    m.msg_name = &to;
    m.msg_namelen = static_cast<socklen_t>(sizeof to.sun_family + address_.size());
    m.msg_iov = &part;
    m.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(max_descriptors * sizeof(int))] = {};
    if (!descriptors.empty()) {
        m.msg_control = control;
        m.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
        cmsghdr* const c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(descriptors.size_bytes());
        std::memcpy(CMSG_DATA(c), descriptors.data(), descriptors.size_bytes());
    }
    [[maybe_unused]] const auto sent = sendmsg(fd, &m, MSG_NOSIGNAL);
    close(fd);
}

}  // namespace apus::server
