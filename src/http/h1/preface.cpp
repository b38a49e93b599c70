// SPDX-License-Identifier: Apache-2.0
#include "http/h1/connection.hpp"
#include "http/h2/connection.hpp"
#include "runtime/record_layer.hpp"

// A client that speaks HTTP/2 says so by its first bytes (RFC 9113, 3.4). To HTTP/1.1 they are a
// request of another version, so that telling them apart costs other requests nothing.

namespace apus::http::h1 {

bool connection::begins_http2() const noexcept {
    constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    if (layer() && layer()->application() == "http/1.1") return false;
    return requests_ == 0 && preface.starts_with(core_.unread.substr(0, preface.size()));
}

bool connection::agreed_on_http2() const noexcept { return layer()->application() == "h2"; }

// The session checks the rest of the preface, should it not be there yet.
void connection::hand_over() {
    auto& io = core_.loop.io();
    auto* next = new h2::connection(core_.newer(), *this);
    io.hand_over(*this, *next);
    phase_ = phase::leaving;
    core_.loop.timers().remove(timer_);
    const std::string_view first = core_.unread;
    core_.unread = {};
    next->begin(first);
}

}  // namespace apus::http::h1
