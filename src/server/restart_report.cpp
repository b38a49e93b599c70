// SPDX-License-Identifier: Apache-2.0
#include "server/restart_report.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace apus::server {

void report_restart(pid_t to, bool succeeded, std::string_view sentence) noexcept {
    if (to <= 0) return;
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    constexpr std::string_view name = "apus-restart-";
    std::memcpy(at.sun_path + 1, name.data(), name.size());
    const char* const end = std::to_chars(at.sun_path + 1 + name.size(), at.sun_path + sizeof at.sun_path, to).ptr;
    const auto size = static_cast<socklen_t>(end - reinterpret_cast<const char*>(&at));
    char text[1024];
    std::memcpy(text, succeeded ? "ok " : "no ", 3);
    const std::size_t length = std::min(sentence.size(), sizeof text - 3);
    std::memcpy(text + 3, sentence.data(), length);
    [[maybe_unused]] const auto sent =
        sendto(fd, text, length + 3, MSG_DONTWAIT | MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&at), size);
    close(fd);
}

}  // namespace apus::server
