// SPDX-License-Identifier: Apache-2.0
#include "ws/client_connection.hpp"

namespace apus::ws {
namespace {

http::exchange& begun(http::exchange& x, http::transport& via) noexcept {
    x.via = &via;
    return x;
}

}  // namespace

client_connection::client_connection(outbound::pool_hold pool, outbound::pool::lease lease,
                                     const websocket_options& how)
    : pool_(std::move(pool)),
      lease_(std::move(lease)),
      how_(how),
      session_(begun(x_, *this), how_, role::client),
      handle_(session_) {
    io().idle_watcher = this;
}

void client_connection::request_more_body(http::exchange& x) noexcept {
    x.body_lent = false;
    io().gather();
    x.body = io().unread();
    io().use(x.body.size());
    if (x.body.empty() && io().ended()) x.body_ended = true;
}

void client_connection::on_event(outbound::transport&) noexcept {
    if (!x_.reader) return;
    if (x_.body_lent) {
        // The handler still uses the last message, and reading would overwrite the buffer of this message. The next
        // `receive` reads.
        x_.reader = {};
        return;
    }
    request_more_body(x_);
    if (x_.body.empty() && !x_.body_ended) return;
    if (x_.body_ended || session_.next(x_)) std::exchange(x_.reader, {}).resume();
}

void client_connection::has_room(outbound::transport&) noexcept {
    if (x_.writer) std::exchange(x_.writer, {}).resume();
}

}  // namespace apus::ws
