// SPDX-License-Identifier: Apache-2.0
#include "outbound/connecting.hpp"

#include "runtime/security.hpp"

#include <cerrno>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace apus::outbound {
namespace {

// TCP keep-alive detects, even on an idle connection, that the peer has disappeared without closing the connection.
void set_options(int fd, bool keep_alive) noexcept {
    const auto set = [fd](int level, int name, int value) { ::setsockopt(fd, level, name, &value, sizeof value); };
    set(IPPROTO_TCP, TCP_NODELAY, 1);
    if (!keep_alive) return;
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, 30);
    set(IPPROTO_TCP, TCP_KEEPINTVL, 10);
    set(IPPROTO_TCP, TCP_KEEPCNT, 3);
}

task<transport_ptr> connect_to(runtime::loop& loop, const net::endpoint& at, const connect_target& to,
                               std::uint64_t due, connect_errors& why) {
    const int fd = ::socket(at.address()->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        why.error = errno;
        co_return nullptr;
    }
    if (!at.is_unix()) set_options(fd, to.keep_alive);
    auto records = to.tls ? to.tls->connect(to.host, to.spoken) : nullptr;
    auto* const io = new socket_transport(loop, fd, std::move(records));
    transport_ptr made(io);
    why.error = co_await io->connect(at.address(), at.size(), due);
    why.certificate_error = io->failure();
    if (why.error != 0) made.reset();
    co_return std::move(made);
}

}  // namespace

task<transport_ptr> connect_in_turn(runtime::loop& loop, connect_target to, std::uint64_t due, connect_errors& why) {
    const auto all = to.addresses;
    for (std::size_t i = 0; i < all.size() && loop.now() < due; ++i) {
        const std::uint64_t share = loop.now() + (due - loop.now()) / (all.size() - i);
        if (auto made = co_await connect_to(loop, all[i], to, share, why)) co_return std::move(made);
    }
    co_return nullptr;
}

}  // namespace apus::outbound
