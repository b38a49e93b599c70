// SPDX-License-Identifier: Apache-2.0
#include "outbound/connecting.hpp"

#include "net/resolver.hpp"
#include "outbound/with_deadline.hpp"
#include "runtime/security.hpp"

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

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

std::string reason_of(const connect_errors& why) {
    if (!why.certificate_error.empty()) return "the certificate is not trusted: " + std::string(why.certificate_error);
    if (why.error == EPROTO) return "the TLS handshake has failed";
    return why.error == 0 || why.error == ETIMEDOUT ? "timeout while connecting" : std::strerror(why.error);
}

task<transport_ptr> connect_to_host(runtime::loop& loop, net::host_port to, runtime::client_security* tls,
                                    std::uint64_t due, std::string& why) {
    with_deadline looked_up(net::resolve(to.host, to.port), due);
    auto found = co_await looked_up;
    if (!found || !*found) {
        why = found ? std::string(found->error().detail()) : "timeout while resolving the host";
        co_return nullptr;
    }
    const std::vector<net::endpoint> all = **std::move(found);
    connect_errors errors;
    const connect_target at{.addresses = all, .tls = tls, .host = std::move(to.host), .keep_alive = true};
    auto made = co_await connect_in_turn(loop, at, due, errors);
    if (!made) why = reason_of(errors);
    co_return std::move(made);
}

task<std::string> begin_tls(transport& of, runtime::client_security& tls, std::string host, std::uint64_t due) {
    of.gather();
    if (!of.unread().empty()) co_return "the server has sent bytes before the TLS handshake";
    // The only kind of transport.
    auto& on = static_cast<socket_transport&>(of);
    connect_errors why;
    why.error = co_await on.begin_tls(tls.connect(host, runtime::protocols::http1), due);
    why.certificate_error = on.failure();
    co_return why.error == 0 ? std::string() : reason_of(why);
}

}  // namespace apus::outbound
