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
    if (!next_.empty()) unlink(next_.c_str());
    if (!written_) return;
    std::string text;
    std::getline(std::ifstream(path_), text);
    if (text == std::to_string(getpid())) unlink(path_.c_str());
}

std::unexpected<std::string> pid_file::cannot_write() const {
    return std::unexpected("cannot write the PID file " + path_ + ": " + std::strerror(errno));
}

std::string pid_file::prepared_by(pid_t process) const { return path_ + "." + std::to_string(process); }

void pid_file::discard_prepared_by(pid_t process) const {
    if (!path_.empty()) unlink(prepared_by(process).c_str());
}

std::expected<void, std::string> pid_file::prepare() {
    if (path_.empty()) return {};
    const std::string text = std::to_string(getpid()) + "\n", next = prepared_by(getpid());
    unlink(next.c_str());
    const int fd = open(next.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0) return cannot_write();
    next_ = next;  // the destructor removes it
    const bool whole = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const auto result = whole ? std::expected<void, std::string>() : cannot_write();
    close(fd);
    return result;
}

std::expected<void, std::string> pid_file::publish() {
    if (next_.empty()) return {};
    if (std::rename(next_.c_str(), path_.c_str()) != 0) return cannot_write();
    next_.clear();
    written_ = true;
    return {};
}

std::expected<void, std::string> pid_file::write() {
    if (auto prepared = prepare(); !prepared) return prepared;
    return publish();
}

}  // namespace apus::server
