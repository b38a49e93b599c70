// SPDX-License-Identifier: Apache-2.0
// apus-health PORT PATH: sends a request to the server on this machine, and exits with 0 if the response is 2xx within
// two seconds. It is the health check of images, and depends only on libc, since an image may lack other libraries.
#include <cstdlib>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

bool write_all(int fd, const char* text) {
    for (std::size_t left = std::strlen(text); left > 0;) {
        const ssize_t n = send(fd, text, left, MSG_NOSIGNAL);
        if (n <= 0) return false;
        text += n, left -= static_cast<std::size_t>(n);
    }
    return true;
}

int ask(int fd, long port, const char* path) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<in_port_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval limit{.tv_sec = 2, .tv_usec = 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return 1;
    if (!write_all(fd, "GET ") || !write_all(fd, path) ||
        !write_all(fd, " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        return 1;
    char head[12];  // "HTTP/1.1 200"
    std::size_t have = 0;
    while (have < sizeof head) {
        const ssize_t n = recv(fd, head + have, sizeof head - have, 0);
        if (n <= 0) return 1;
        have += static_cast<std::size_t>(n);
    }
    return std::memcmp(head, "HTTP/1.", 7) == 0 && head[8] == ' ' && head[9] == '2' ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const long port = argc == 3 ? std::strtol(argv[1], nullptr, 10) : 0;
    if (port < 1 || port > 65535 || argv[2][0] != '/') return 2;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return 1;
    const int status = ask(fd, port, argv[2]);
    close(fd);
    return status;
}
