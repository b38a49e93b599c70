// SPDX-License-Identifier: Apache-2.0
#include "ws/link.hpp"

namespace apus::ws {
namespace {

http::exchange& begun(http::exchange& x, http::transport& via) noexcept {
    x.via = &via;
    return x;
}

}  // namespace

link::link(outbound::pool_hold pool, outbound::pool::lease lease, const websocket_options& how)
    : pool_(std::move(pool)),
      lease_(std::move(lease)),
      how_(how),
      talk_(begun(x_, *this), how_, role::client),
      handle_(talk_) {
    io().idle_watcher = this;
}

void link::wants_body(http::exchange& x) noexcept {
    x.body_lent = false;
    io().gather();
    x.body = io().unread();
    io().use(x.body.size());
    if (x.body.empty() && io().ended()) x.body_ended = true;
}

void link::stirred(outbound::transport&) noexcept {
    if (!x_.reader) return;
    if (x_.body_lent) {
        // The handler still uses the received message, whose buffer the next message needs.
        x_.reader = {};
        return;
    }
    wants_body(x_);
    if (x_.body.empty() && !x_.body_ended) return;
    if (x_.body_ended || talk_.next(x_)) std::exchange(x_.reader, {}).resume();
}

void link::has_room(outbound::transport&) noexcept {
    if (x_.writer) std::exchange(x_.writer, {}).resume();
}

}  // namespace apus::ws
