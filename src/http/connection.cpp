// SPDX-License-Identifier: Apache-2.0
#include "http/connection.hpp"

#include "http/peer_address.hpp"
#include "runtime/record_layer.hpp"

#include <cassert>
#include <limits>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace apus::http {

connection::connection(core& c, int fd) : stream(fd), inside_(c.connections.enter()) {
    link(c);
    ++c.counts.connections_opened;
}

connection::connection(core& c, connection& before)
    : stream(before.fd()), key(before.key), inside_(before.inside_.again()), peer_(std::move(before.peer_)) {
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

// The list begins with those that came to it last.
void connection::go_last(core& c) noexcept {
    if (!at_) return;
    unlink();
    link(c);
}

connection::~connection() {
    assert(held_ == 0);
    unlink();
}

void connection::hold(core& c, std::size_t bytes) noexcept {
    const auto now =
        static_cast<std::uint32_t>(std::min<std::size_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
    const std::uint32_t before = std::exchange(held_, now);
    if (now > before) c.loop.memory().add(now - before);
    else if (now < before) c.loop.memory().remove(before - now);
    if (!cut_) [[likely]]
        return;
    c.guard.leaves(now);
    c.guard.returned(before);
}

// As measured with OpenSSL 3.0 and glibc: a handshake needs most while it waits for the client's last part.
std::size_t connection::secure_memory() const noexcept {
    constexpr std::size_t silent = 2 * 1024, greeting = 48 * 1024, secure = 20 * 1024;
    if (!layer()->begun()) return silent;
    return layer()->greeted() ? secure : greeting;
}

void connection::tell_closed(core& c) noexcept {
    hold(c, 0);
    if (fd() < 0) return;
    if (layer() && !layer()->greeted()) ++c.counts.handshakes_failed;
    if (c.watcher) c.watcher->connection_closed(*this);
}

void connection::name_peer(std::string address) { peer_ = std::make_unique<const std::string>(std::move(address)); }

// A client that has only ended its side answers, and one that is gone resets. Fails on sockets that are
// not of TCP, which do not need it.
void connection::probe_peer() noexcept {
    constexpr int on = 1, rest = 15, times = 4;  // seconds before the first question, and between them
    setsockopt(fd(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd(), IPPROTO_TCP, TCP_KEEPIDLE, &rest, sizeof rest);
    setsockopt(fd(), IPPROTO_TCP, TCP_KEEPINTVL, &rest, sizeof rest);
    setsockopt(fd(), IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

// Nothing is received any more, so no backend tells of it.
bool connection::peer_has_left() const noexcept {
    pollfd socket{fd(), 0, 0};
    return poll(&socket, 1, 0) == 1 && (socket.revents & (POLLERR | POLLHUP)) != 0;
}

void connection::write_address(std::string& to) const {
    if (peer_) to = *peer_;
    else to = peer_address(fd());
}

}  // namespace apus::http
