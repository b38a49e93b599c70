// SPDX-License-Identifier: Apache-2.0
#include "server/pid_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

namespace apus::server {

pid_file::~pid_file() {
    if (!written_) return;
    std::string text;
    std::getline(std::ifstream(path_), text);
    if (text == std::to_string(getpid())) unlink(path_.c_str());
}

std::expected<void, std::string> pid_file::write() {
    if (path_.empty()) return {};
    const std::string text = std::to_string(getpid()) + "\n", next = path_ + "." + std::to_string(getpid());
    const auto cannot = [&] {
        const int error = errno;
        unlink(next.c_str());
        return std::unexpected("cannot write the PID file " + path_ + ": " + std::strerror(error));
    };
    unlink(next.c_str());
    const int fd = open(next.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0) return cannot();
    const bool whole = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(fd);
    if (!whole || std::rename(next.c_str(), path_.c_str()) != 0) return cannot();
    written_ = true;
    return {};
}

}  // namespace apus::server
