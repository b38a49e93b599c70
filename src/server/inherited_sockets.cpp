// SPDX-License-Identifier: Apache-2.0
#include "server/inherited_sockets.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace apus::server {
namespace {

constexpr int max_sockets = 4096;

std::string read_variable(const char* name) {
    const char* const value = std::getenv(name);
    std::string text = value ? value : "";
    unsetenv(name);
    return text;
}

bool read_number(std::string_view text, int& to) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
    return error == std::errc() && end == text.data() + text.size() && to > 0;
}

std::vector<std::string> split(std::string_view names) {
    std::vector<std::string> all;
    for (std::size_t end = 0; end != names.npos; names.remove_prefix(end == names.npos ? 0 : end + 1)) {
        end = names.find(':');
        all.emplace_back(names.substr(0, end));
    }
    return all;
}

int option_of(int fd, int name) noexcept {
    int value = -1;
    socklen_t size = sizeof value;
    return getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

// Returns the reason why this is not a listening stream socket, or null.
const char* problem_of(int fd) {
    const int type = option_of(fd, SO_TYPE);
    if (type < 0) return "is closed or not a socket";
    if (type != SOCK_STREAM) return "is not a stream socket: use ListenStream=";
    if (!is_listening(fd)) return "is not listening: use Accept=no";
    const int family = option_of(fd, SO_DOMAIN);
    if (family != AF_INET && family != AF_INET6 && family != AF_UNIX) return "is neither an IP nor a Unix socket";
    return nullptr;
}

// Returns a number that identifies the socket: all descriptors of a socket have the same cookie.
std::uint64_t cookie_of(int fd) {
    std::uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size);
    return cookie;
}

}  // namespace

bool is_listening(int fd) noexcept { return option_of(fd, SO_ACCEPTCONN) == 1; }

std::expected<std::vector<inherited_socket>, std::string> check_sockets(int first,
                                                                        const std::vector<std::string>& names) {
    std::vector<inherited_socket> all;
    std::vector<std::uint64_t> cookies;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const int fd = first + static_cast<int>(i);
        const auto invalid = [&](const std::string& why) {
            return std::unexpected("inherited descriptor " + std::to_string(fd) + " (`" + names[i] + "`) " + why);
        };
        if (const char* why = problem_of(fd)) return invalid(why);
        const std::uint64_t cookie = cookie_of(fd);
        const auto same = std::find(cookies.begin(), cookies.end(), cookie);
        if (cookie && same != cookies.end())
            return invalid("is the same socket as descriptor " + std::to_string(first + (same - cookies.begin())));
        cookies.push_back(cookie);
        all.push_back({fd, names[i], net::endpoint::of(fd)});
    }
    return all;
}

std::expected<std::vector<inherited_socket>, std::string> inherited_sockets(bool from_predecessor) {
    const std::string pid = read_variable("LISTEN_PID"), count = read_variable("LISTEN_FDS");
    const std::string names = read_variable("LISTEN_FDNAMES");
    if (count.empty() || count == "0" || (pid.empty() && !from_predecessor)) return {};
    int number = 0;
    if (!from_predecessor && !read_number(pid, number))
        return std::unexpected("LISTEN_PID must be the number of a process, not `" + pid + "`");
    if (!from_predecessor && number != getpid()) return {};
    if (!read_number(count, number) || number > max_sockets)
        return std::unexpected("LISTEN_FDS must be a number from 0 to " + std::to_string(max_sockets) + ", not `" +
                               count + "`");
    const auto sockets = static_cast<std::size_t>(number);
    const auto named = names.empty() ? std::vector<std::string>(sockets, "unknown") : split(names);
    if (named.size() != sockets)
        return std::unexpected("LISTEN_FDNAMES has " + std::to_string(named.size()) + " names for " + count +
                               " sockets");
    return check_sockets(first_inherited, named);
}

}  // namespace apus::server
