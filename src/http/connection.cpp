// SPDX-License-Identifier: Apache-2.0
#include "http/connection.hpp"

#include "http/peer_address.hpp"
#include "runtime/record_layer.hpp"

#include <utility>

namespace apus::http {

connection::connection(core& c, int fd) : stream(fd), inside_(c.connections.enter()) {
    link(c);
    ++c.counts.connections_opened;
}

connection::connection(core& c, connection& before) : stream(before.fd()), key(before.key), inside_(before.inside_.again()), peer_(std::move(before.peer_)) {
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

void connection::name_peer(std::string address) { peer_ = std::make_unique<const std::string>(std::move(address)); }

void connection::write_address(std::string& to) const {
    if (peer_) to = *peer_;
    else to = peer_address(fd());
}

}  // namespace apus::http
