// SPDX-License-Identifier: Apache-2.0
#include "server/core_thread.hpp"

#include "http/connection.hpp"
#include "http/peer_address.hpp"
#include "runtime/security.hpp"

#include <apus/log.hpp>

#include <memory>
#include <new>
#include <utility>

#include <unistd.h>

// Connections of a core, from the accepted socket to the protocol.

namespace apus::server {

core_thread::accept_options core_thread::at(std::size_t listener) const {
    const auto& where = listeners_[listener].where();
    return {where.url_scheme() == net::endpoint::scheme::https, where.expects_proxy_header(), where.protocols()};
}

void core_thread::accepted(int fd, accept_options how) {
    auto& connections = shared_.connections;
    const bool full = connections.total() >= shared_.options.limits.connections;
    if (full || !core_->guard.accepts_connection()) {
        ++(full ? core_->counts.connections_refused : core_->counts.memory_connections);
        ::close(fd);
        return;
    }
    unsigned to = connections.place(number_, !draining_);
    if (to == number_) open(fd, how);
    else shared_.cores[to]->adopt(fd, how);
}

void core_thread::adopt(int fd, accept_options how) noexcept {
    auto* h = new (std::nothrow) adopted_connection;
    if (!h) {
        shared_.connections.left(number_);
        ::close(fd);
        return;
    }
    h->to = this;
    h->fd = fd;
    h->how = how;
    h->run = [](runtime::posted_call& l) noexcept {
        std::unique_ptr<adopted_connection> mine(&static_cast<adopted_connection&>(l));
        if (mine->to->core_) mine->to->open(mine->fd, mine->how);
        else ::close(mine->fd);
    };
    loop_->post(*h);
}

void core_thread::reject(int fd) noexcept {
    shared_.connections.left(number_);
    ::close(fd);
}

// Returns false, and counts the reason, if a limit is reached.
bool core_thread::open(http::connection& c, accept_options how, std::uint64_t address) {
    auto& bounds = shared_.options.limits;
    std::unique_ptr<runtime::record_layer> layer;
    if (how.secure) layer = shared_.options.tls->accept(bounds.handshakes, how.spoken);
    const auto most = bounds.connections_per_address;
    if (!most) address = 0;
    if (address && !shared_.connections.enter_address(address, most)) return ++core_->counts.addresses_refused, false;
    core_->open(c, how.spoken);
    c.key = address;
    if (layer) ++core_->counts.handshakes_begun, c.set_record_layer(std::move(layer), c.traffic());
    return true;
}

void core_thread::open(int fd, accept_options how) {
    if (how.proxied) {
        if (shared_.proxies.contains(http::peer_address(fd)))
            return (new proxied_client(*this, *loop_, fd, {how.secure, how.spoken},
                                       core_->due_in(shared_.options.limits.head)))
                ->start();
        ++core_->counts.proxy_headers_refused;
        log::debug("rejected a connection to a PROXY listener from an untrusted address",
                   {"peer", http::peer_address(fd)});
        return reject(fd);
    }
    const bool counts_addresses = shared_.options.limits.connections_per_address != 0;
    auto accepted = std::make_unique<http::connection>(fd);
    if (open(*accepted, how, counts_addresses ? address_key(fd) : 0)) start(*accepted.release());
    else reject(fd);
}

void core_thread::start(http::connection& c) {
    c.start();
    if (draining_) c.drain();
}

bool core_thread::open(http::connection& c, proxied_client::connection_options then, const codec::proxy::header& told) {
    using family = codec::proxy::header::family;
    if (core_->connections.closed()) return false;  // the server shuts down
    const bool is_ip = told.of == family::ip4 || told.of == family::ip6, ip6 = told.of == family::ip6;
    const std::uint64_t key = is_ip ? address_key(told.address.data(), ip6) : address_key(c.fd());
    if (!open(c, {.secure = then.secure, .spoken = then.spoken}, key)) return false;
    if (is_ip) c.set_peer_address(http::address_text(told.address.data(), ip6));
    if (told.of == family::unix_socket) c.set_peer_address("unix");
    return true;
}

void core_thread::rejected(const char* why) noexcept {
    shared_.connections.left(number_);
    if (!core_ || !why) return;
    ++core_->counts.proxy_headers_refused;
    log::debug("closed a connection with an invalid PROXY header", {"reason", why});
}

void core_thread::connection_closed(http::connection& c) noexcept {
    if (c.key) shared_.connections.leave_address(c.key);
    shared_.connections.left(number_);
}

}  // namespace apus::server
