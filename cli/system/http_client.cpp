// SPDX-License-Identifier: Apache-2.0
#include "cli/system/http_client.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/system/descriptor.hpp"
#include "cli/system/signals.hpp"
#include "codec/http1/response_head.hpp"

namespace apus::cli::system {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t max_response = std::size_t{64} << 20;

[[noreturn]] void fail(const std::string& why) { throw http_client::error(why); }
[[noreturn]] void fail_with(int error_number) { fail(std::strerror(error_number)); }

// Waits until the socket is ready. Returns 0 or an error number. Throws if a signal has arrived.
int ready(int fd, short events, clock::time_point deadline) {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now()).count();
        if (left <= 0) return ETIMEDOUT;
        pollfd one{.fd = fd, .events = events, .revents = 0};
        const int count = poll(&one, 1, static_cast<int>(left));
        throw_if_interrupted();
        if (count > 0) return 0;
        if (count < 0 && errno != EINTR) return errno;
    }
}

void await(int fd, short events, clock::time_point deadline) {
    const int why = ready(fd, events, deadline);
    if (why == ETIMEDOUT) fail("the server does not respond");
    if (why != 0) fail_with(why);
}

void send_all(int fd, std::string_view text, clock::time_point deadline) {
    while (!text.empty()) {
        await(fd, POLLOUT, deadline);
        const ssize_t n = send(fd, text.data(), text.size(), MSG_NOSIGNAL);
        if (n < 0 && errno != EAGAIN && errno != EINTR) fail_with(errno);
        if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    }
}

// Receives until the server closes the connection.
std::string receive_all(int fd, clock::time_point deadline) {
    std::string all;
    char piece[16384];
    for (;;) {
        await(fd, POLLIN, deadline);
        const ssize_t n = recv(fd, piece, sizeof piece, 0);
        if (n == 0) return all;
        if (n < 0 && errno != EAGAIN && errno != EINTR) fail_with(errno);
        if (n > 0) all.append(piece, static_cast<std::size_t>(n));
        if (all.size() > max_response) fail("the response is larger than 64 MiB");
    }
}

// Connects to one address, within 2 s, since another address may respond. Returns 0 or an error number.
int connect_to(int fd, const sockaddr* to, socklen_t size, clock::time_point deadline) {
    if (fd < 0) return errno;
    if (::connect(fd, to, size) == 0) return 0;
    if (errno != EINPROGRESS) return errno;
    if (const int why = ready(fd, POLLOUT, std::min(deadline, clock::now() + std::chrono::seconds(2)))) return why;
    int why = 0;
    socklen_t length = sizeof why;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &length) == 0 ? why : errno;
}

}  // namespace

http_client::http_client(std::string_view address) {
    if (address.starts_with("unix:")) {
        path_ = address.substr(5);
        if (path_.empty() || path_.size() >= sizeof sockaddr_un{}.sun_path) fail("the path is invalid");
        return;
    }
    if (address.starts_with("http://")) address.remove_prefix(7);
    while (address.ends_with('/')) address.remove_suffix(1);
    const auto colon = address.rfind(':');
    host_ = colon == address.npos ? "127.0.0.1" : address.substr(0, colon);
    port_ = colon == address.npos ? address : address.substr(colon + 1);
    if (host_.starts_with('[') && host_.ends_with(']')) host_ = host_.substr(1, host_.size() - 2);
    const bool digits = !port_.empty() && port_.size() <= 5 && port_.find_first_not_of("0123456789") == port_.npos;
    if (host_.empty() || !digits) fail("the address is invalid");
}

int http_client::connect(clock::time_point deadline) const {
    constexpr int type = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
    int why = 0;
    if (host_.empty()) {
        sockaddr_un to{};
        to.sun_family = AF_UNIX;
        std::ranges::copy(path_, to.sun_path);
        descriptor made{socket(AF_UNIX, type, 0)};
        why = connect_to(made.fd, reinterpret_cast<const sockaddr*>(&to), sizeof to, deadline);
        if (why == 0) return std::exchange(made.fd, -1);
        fail_with(why);
    }
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    if (const int error = getaddrinfo(host_.c_str(), port_.c_str(), &wanted, &list)) fail(gai_strerror(error));
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(list, freeaddrinfo);
    for (const addrinfo* each = list; each; each = each->ai_next) {
        descriptor made{socket(each->ai_family, type, 0)};
        why = connect_to(made.fd, each->ai_addr, each->ai_addrlen, deadline);
        if (why == 0) return std::exchange(made.fd, -1);
    }
    fail_with(why);
}

http_client::response http_client::get(std::string_view path, std::string_view accept,
                                       std::chrono::milliseconds longest) const {
    const auto deadline = clock::now() + longest;
    const descriptor connection{connect(deadline)};
    // By HTTP/1.0, responses are not chunked, and their end is the end of the connection.
    const std::string request =
        "GET " + std::string(path) + " HTTP/1.0\r\nHost: localhost\r\nAccept: " + std::string(accept) + "\r\n\r\n";
    send_all(connection.fd, request, deadline);
    std::string received = receive_all(connection.fd, deadline);

    codec::http1::response_head head;
    constexpr codec::http1::head_limits limits{.request_line = 1024, .fields = 64, .field_bytes = 16 * 1024};
    const auto parsed = codec::http1::read_response_head(received, limits, head);
    if (parsed.state != codec::outcome::done) fail("the response is not HTTP/1.1, so this is not an Apus server");
    received.erase(0, parsed.used);
    if (head.body == codec::http1::framing::sized && received.size() != head.content_length)
        fail("the response is truncated");
    return {.status = head.status, .body = std::move(received)};
}

}  // namespace apus::cli::system
