// SPDX-License-Identifier: Apache-2.0
#include "http/h1/connection.hpp"
#include "runtime/record_layer.hpp"

#include <utility>

// A client that speaks HTTP/2 says so by its first bytes (RFC 9113, 3.4). To HTTP/1.1 they are a
// request of another version, so that telling them apart costs other requests nothing. Where a client
// has agreed on HTTP/2 by TLS there is nothing else to be told in.

namespace apus::http::h1 {

bool connection::begins_http2() const noexcept {
    constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    if (!speaks_http2() || (layer() && layer()->application() == "http/1.1")) return false;
    return requests_ == 0 && preface.starts_with(core_.unread.substr(0, preface.size()));
}

bool connection::agreed_on_http2() const noexcept { return layer()->application() == "h2"; }

// The session checks the preface, or the rest of it, should it not be there yet.
void connection::hand_over() {
    phase_ = phase::leaving;
    core_.loop.timers().remove(timer_);
    core_.newer().take_over(*this, std::exchange(core_.unread, {}));
}

}  // namespace apus::http::h1
