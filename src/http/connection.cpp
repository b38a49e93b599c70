// SPDX-License-Identifier: Apache-2.0
#include "http/connection.hpp"

#include "runtime/record_layer.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace apus::http {

connection::connection(core& c, int fd) : stream(fd), inside_(c.connections.enter()) {
    link(c);
    ++c.counts.connections_opened;
}

connection::connection(core& c, connection& before) : stream(before.fd()), key(before.key), inside_(before.inside_.again()) {
    before.unlink();
    link(c);
}

void connection::link(core& c) noexcept {
    next_ = c.first;
    if (next_) next_->at_ = &next_;
    at_ = &c.first;
    c.first = this;
}

void connection::unlink() noexcept {
    if (!at_) return;
    *at_ = next_;
    if (next_) next_->at_ = at_;
    at_ = nullptr;
}

void connection::tell_closed(core& c) noexcept {
    if (fd() < 0) return;
    if (layer() && !layer()->greeted()) ++c.counts.handshakes_failed;
    if (c.watcher) c.watcher->connection_closed(*this);
}

void connection::write_address(std::string& to) const {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    char text[INET6_ADDRSTRLEN] = "unknown";
    if (getpeername(fd(), reinterpret_cast<sockaddr*>(&peer), &size) == 0) {
        if (peer.ss_family == AF_INET) {
            inet_ntop(AF_INET, &reinterpret_cast<sockaddr_in&>(peer).sin_addr, text, sizeof text);
        } else if (peer.ss_family == AF_INET6) {
            auto& v6 = reinterpret_cast<sockaddr_in6&>(peer).sin6_addr;
            // A client of IPv4 on a socket of both: shown as it would write its own address.
            if (IN6_IS_ADDR_V4MAPPED(&v6)) inet_ntop(AF_INET, v6.s6_addr + 12, text, sizeof text);
            else inet_ntop(AF_INET6, &v6, text, sizeof text);
        } else {
            return void(to = "unix");
        }
    }
    to = text;
}

}  // namespace apus::http
