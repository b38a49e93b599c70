// SPDX-License-Identifier: Apache-2.0
#include "redis/connector.hpp"

#include "codec/resp/command.hpp"
#include "codec/resp/reply.hpp"
#include "net/resolver.hpp"
#include "outbound/socket_transport.hpp"
#include "outbound/with_deadline.hpp"
#include "redis/failure.hpp"
#include "runtime/security.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace apus::redis {
namespace {

using codec::outcome;
using codec::resp::kind;

// Detects peers that disappear without closing the connection, also while it is idle.
void set_options(int fd) noexcept {
    const auto set = [fd](int level, int name, int value) { ::setsockopt(fd, level, name, &value, sizeof value); };
    set(IPPROTO_TCP, TCP_NODELAY, 1);
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, 30);
    set(IPPROTO_TCP, TCP_KEEPINTVL, 10);
    set(IPPROTO_TCP, TCP_KEEPCNT, 3);
}

task<std::vector<net::endpoint>> addresses(const address& to, std::uint64_t due) {
    if (!to.path.empty()) {
        auto at = net::endpoint::parse("unix:" + to.path);
        if (!at) co_await failure(unreachable(at.error()));
        co_return std::vector<net::endpoint>(1, *at);
    }
    outbound::with_deadline looked_up(net::resolve(to.host, to.port), due);
    auto found = co_await looked_up;
    if (!found) co_await failure(unreachable("the host was not resolved in time"));
    if (!*found) co_await failure(unreachable(found->error().detail()));
    co_return **std::move(found);
}

struct socket_closer {
    void operator()(outbound::socket_transport* t) const noexcept { t->close(); }
};

// Returns null and sets `why` on failure.
task<transport_ptr> connect_to(const shared_state& s, runtime::loop& loop, const net::endpoint& at, std::uint64_t due,
                               std::string& why) {
    const int fd = ::socket(at.address()->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        why = std::strerror(errno);
        co_return nullptr;
    }
    if (!at.is_unix()) set_options(fd);
    auto records = s.to.secure ? s.tls->connect(s.to.host) : nullptr;
    std::unique_ptr<outbound::socket_transport, socket_closer> made(
        new outbound::socket_transport(loop, fd, std::move(records)));
    const int error = co_await made->connect(at.address(), at.size(), due);
    if (error == 0) co_return transport_ptr(made.release());
    if (const auto untrusted = made->failure(); !untrusted.empty())
        why = "the certificate is not trusted: " + std::string(untrusted);
    else if (error == EPROTO) why = "the TLS handshake has failed";
    else why = error == ETIMEDOUT ? "timeout while connecting" : std::strerror(error);
    co_return nullptr;
}

task<transport_ptr> dial(const shared_state& s, runtime::loop& loop, std::uint64_t due) {
    const auto all = co_await addresses(s.to, due);
    std::string why = "timeout while connecting";
    for (std::size_t i = 0; i < all.size() && loop.now() < due; ++i) {
        // Each remaining address gets an equal share of the remaining time.
        const std::uint64_t share = loop.now() + (due - loop.now()) / (all.size() - i);
        if (auto made = co_await connect_to(s, loop, all[i], share, why)) co_return std::move(made);
    }
    co_await failure(unreachable(why));
    co_return nullptr;
}

// Returns the commands of the beginning, and their number.
std::pair<std::string, unsigned> greeting(const address& to) {
    std::string text;
    const std::string_view user = to.user.empty() ? std::string_view("default") : std::string_view(to.user);
    if (to.password.empty()) codec::resp::append_command(text, {"HELLO", "3", "SETNAME", "apus"});
    else codec::resp::append_command(text, {"HELLO", "3", "AUTH", user, to.password, "SETNAME", "apus"});
    if (to.database == 0) return {std::move(text), 1};
    codec::resp::append_command(text, {"SELECT", std::to_string(to.database)});
    return {std::move(text), 2};
}

}  // namespace

task<transport_ptr> connect(const shared_state& s, runtime::loop& loop, std::uint64_t due) {
    auto made = co_await dial(s, loop, due);
    auto [text, left] = greeting(s.to);
    made->send(text);
    codec::resp::reply_scanner scanner({.bytes = 64 * 1024, .elements = 1'024});
    while (left != 0) {
        made->gather();
        const auto got = scanner.scan(made->unread());
        if (got.state == outcome::bad) co_await failure(unreachable(got.why->reason));
        if (got.state == outcome::partial) {
            if (made->ended()) co_await failure(unreachable("Redis has closed the connection"));
            if (co_await made->reading.until(due) == outbound::wake::late)
                co_await failure(unreachable("timeout: Redis does not respond to HELLO"));
            continue;
        }
        std::string_view reply = made->unread().substr(0, got.used);
        made->use(got.used);
        if (got.value == kind::push) continue;
        --left;
        if (got.value != kind::error) continue;
        // The name of the user and the password are arguments of HELLO.
        const std::string cause(refused(codec::resp::take_element(reply).text, "HELLO or SELECT", true).cause());
        co_await failure(unreachable(cause));
    }
    co_return std::move(made);
}

}  // namespace apus::redis
