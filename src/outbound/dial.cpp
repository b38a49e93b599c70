// SPDX-License-Identifier: Apache-2.0
#include "outbound/dial.hpp"

#include "net/resolver.hpp"
#include "net/connect_override.hpp"
#include "outbound/connecting.hpp"
#include "outbound/socket_transport.hpp"
#include "outbound/with_deadline.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace apus::outbound {
namespace {

bool allowed(pool& p, const net::endpoint& at, const url& to) {
    if (!p.allowed) return true;
    const std::string address = at.is_unix() ? at.path() : at.host();
    return p.allowed(peer_address(to.host, address, at.is_unix() ? std::uint16_t{0} : at.port(), at.is_public()));
}

task<std::vector<net::endpoint>> addresses(const detail::asked& req, const url& to, std::uint64_t due) {
    if (!req.via.empty()) {
        auto at = net::endpoint::parse(req.via);
        if (!at) co_await fail(500, "invalid `via`: expected an address with a port, or unix: and a path");
        co_return std::vector<net::endpoint>(1, *at);
    }
    auto work = net::resolve(to.host, to.port);
    with_deadline looked_up(std::move(work), due);
    auto found = co_await looked_up;
    if (!found) co_await fail(504, "the upstream's name was not resolved in time");
    if (!*found) co_await fail(found->error().status(), found->error().detail());
    co_return **std::move(found);
}

runtime::protocols offered(const pool& p, const detail::asked& req) noexcept {
    if (req.exclusive) return runtime::protocols::http1;
    switch (p.options.protocols) {
        case client_protocols::http1: return runtime::protocols::http1;
        case client_protocols::http2: return runtime::protocols::http2;
        case client_protocols::automatic: break;
    }
    return runtime::protocols::every;
}

bool may_be_http2(const pool& p, const detail::asked& req, const url& to) noexcept {
    const auto spoken = offered(p, req);
    return spoken == runtime::protocols::http2 || (to.secure && spoken == runtime::protocols::every);
}

task<transport*> dial(pool& p, const detail::asked& req, const url& to, std::uint64_t whole_due) {
    const std::uint64_t due = std::min(whole_due, p.loop().due_in(p.options.connect));
    if (const int fd = net::connect_override ? net::connect_override(to.host, to.port) : -1; fd >= 0) {
        auto* io = new socket_transport(p.loop(), fd, nullptr);
        io->connected_already();
        co_return io;
    }
    auto all = co_await addresses(req, to, due);
    std::erase_if(all, [&](const net::endpoint& at) { return !allowed(p, at, to); });
    if (all.empty()) co_await fail(403, "the upstream's address is not allowed");
    connect_errors why;
    auto* const tls = to.secure ? p.options.tls.operator->() : nullptr;
    const connect_target at{.addresses = all, .tls = tls, .host = to.host, .spoken = offered(p, req)};
    if (auto io = co_await connect_in_turn(p.loop(), at, due, why)) co_return io.release();
    if (why.error == 0 || why.error == ETIMEDOUT) co_await fail(504, "timeout while connecting to the upstream");
    if (!why.certificate_error.empty())
        co_await fail(502, "the upstream's certificate is not trusted: " + std::string(why.certificate_error));
    if (to.secure && why.error == EPROTO) co_await fail(502, "the upstream aborted the TLS handshake");
    co_await fail(502, std::string("cannot connect to the upstream: ") + std::strerror(why.error));
    co_return nullptr;
}

}  // namespace

task<pool::lease> acquire_connection(pool& p, const detail::asked& req, const url& to, bool fresh, bool careful,
                                     std::uint64_t due) {
    if (to.secure && !p.options.tls)
        co_await fail(500, "this client does not support https: its options have no `tls`");
    std::string name = to.origin();
    if (!req.via.empty()) name += " via " + req.via;
    const bool may_share = may_be_http2(p, req, to);
    auto lease = co_await p.acquire(std::move(name), {.fresh = fresh, .careful = careful, .may_share = may_share}, due);
    if (lease.connected()) co_return std::move(lease);
    transport_ptr io(co_await dial(p, req, to, due));
    const bool only_http2 = offered(p, req) == runtime::protocols::http2;
    const auto chosen = io->application();
    if (only_http2 && chosen && *chosen != "h2") co_await fail(502, "the upstream does not support HTTP/2");
    if (may_share && (chosen ? *chosen == "h2" : only_http2)) lease.share(*io.release());
    else lease.connect(*io.release());
    co_return std::move(lease);
}

}  // namespace apus::outbound
