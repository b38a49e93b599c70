// SPDX-License-Identifier: Apache-2.0
#include "configuration/file_text.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace apus::configuration {
namespace {

std::unexpected<std::string> unreadable(const std::string& path, const std::string& why) {
    return std::unexpected(path + ": " + why);
}

std::expected<std::string, std::string> read_open_file(int fd, const std::string& path, std::size_t limit) {
    struct stat about;
    if (fstat(fd, &about) != 0) return unreadable(path, std::strerror(errno));
    if (S_ISDIR(about.st_mode)) return unreadable(path, "is a directory, not a file");
    if (!S_ISREG(about.st_mode)) return unreadable(path, "is not a regular file");
    std::string text(limit + 1, '\0');  // files of /proc have the size 0
    std::size_t size = 0;
    while (size < text.size()) {
        const ssize_t n = read(fd, text.data() + size, text.size() - size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return unreadable(path, std::strerror(errno));
        if (n == 0) break;
        size += static_cast<std::size_t>(n);
    }
    if (size > limit) return unreadable(path, "is larger than " + std::to_string(limit) + " bytes");
    text.resize(size);
    return text;
}

}  // namespace

std::expected<std::optional<std::string>, std::string> read_file(const std::string& path, std::size_t limit) {
    if (path.find('\0') != path.npos) return unreadable(path, "contains NUL");
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 && errno == ENOENT) return std::optional<std::string>();
    if (fd < 0) return unreadable(path, std::strerror(errno));
    auto text = read_open_file(fd, path, limit);
    close(fd);
    if (!text) return std::unexpected(std::move(text).error());
    return std::optional(*std::move(text));
}

std::expected<std::string, std::string> read_secret_file(const std::string& path) {
    auto read = read_file(path, max_secret_size);
    if (read && !*read) read = unreadable(path, std::strerror(ENOENT));
    if (!read) {
        // The operator may have set the secret itself instead of a path, so only texts that look like paths are shown.
        const bool is_path = path.starts_with('/') || path.starts_with("./");
        return std::unexpected(is_path ? std::move(read).error() : "the file" + read.error().substr(path.size()));
    }
    std::string& text = **read;
    if (text.ends_with('\n')) text.pop_back();
    if (text.ends_with('\r')) text.pop_back();
    return std::move(text);
}

}  // namespace apus::configuration
