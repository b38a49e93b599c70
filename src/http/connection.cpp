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

void connection::enter(core& c) {
    inside_ = runtime::gate::keep(c.connections.enter());
    link(c);
    ++c.counts.connections_opened;
}

void connection::use(core& c, std::unique_ptr<protocol> next) {
    std::unique_ptr<protocol> before(has_protocol_ ? current() : nullptr);
    set_receiver(*next.release());
    has_protocol_ = true;
    if (before) c.retire(std::move(before));
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

// Moves this connection to the front of the list. The memory guard reviews the list from its end, so this connection is
// then reviewed last.
void connection::move_to_back(core& c) noexcept {
    if (!at_) return;
    unlink();
    link(c);
}

connection::~connection() {
    assert(held_ == 0);
    unlink();
    if (has_protocol_) delete current();
}

void connection::hold(core& c, std::size_t bytes) noexcept {
    const auto now =
        static_cast<std::uint32_t>(std::min<std::size_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
    const std::uint32_t before = std::exchange(held_, now);
    if (now > before) c.loop.memory().add(now - before);
    else if (now < before) c.loop.memory().remove(before - now);
    if (!evicted_) [[likely]]
        return;
    c.guard.add_evicted(now);
    c.guard.subtract_evicted(before);
}

// Memory of a TLS connection, measured with OpenSSL 3.0 and glibc. A handshake uses the most memory while it waits for
// the client's last message.
std::size_t connection::secure_memory() const noexcept {
    constexpr std::size_t silent = 2 * 1024, greeting = 48 * 1024, secure = 20 * 1024;
    if (!layer()->begun()) return silent;
    return layer()->handshake_done() ? secure : greeting;
}

void connection::retire(core& c) noexcept {
    hold(c, 0);
    ++c.counts.connections_closed;
    decide_traffic(c.loop.io(), unknown_traffic);
    if (layer() && !layer()->handshake_done()) ++c.counts.handshakes_failed;
    if (c.watcher) c.watcher->connection_closed(*this);
    const auto last = inside_ ? c.connections.take_back() : runtime::gate::pass();  // may destroy the gate
    delete this;
}

void connection::set_peer_address(std::string address) {
    peer_ = std::make_unique<const std::string>(std::move(address));
}

// Enables TCP keep-alive. If the client has only shut down sending, its kernel acknowledges the probes. If the client
// has exited, its kernel sends RST. Has no effect on Unix sockets, which need no probes.
void connection::probe_peer() noexcept {
    constexpr int on = 1, rest = 15, times = 4;  // seconds before the first probe and between probes; number of probes
    setsockopt(fd(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd(), IPPROTO_TCP, TCP_KEEPIDLE, &rest, sizeof rest);
    setsockopt(fd(), IPPROTO_TCP, TCP_KEEPINTVL, &rest, sizeof rest);
    setsockopt(fd(), IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

// Polls the socket, because the backend does not report a disconnect after receiving has ended.
bool connection::peer_disconnected() const noexcept {
    pollfd socket{fd(), 0, 0};
    return poll(&socket, 1, 0) == 1 && (socket.revents & (POLLERR | POLLHUP)) != 0;
}

void connection::write_address(std::string& to) {
    if (!peer_) set_peer_address(peer_address(fd()));
    to = *peer_;
}

}  // namespace apus::http
