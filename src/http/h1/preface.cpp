// SPDX-License-Identifier: Apache-2.0
#include "http/h1/connection.hpp"
#include "runtime/record_layer.hpp"

#include <utility>

// A client that speaks HTTP/2 says so by its first bytes (RFC 9113, 3.4). To HTTP/1.1 they are a
// request of another version, so that telling them apart costs other requests nothing. Where a client
// has agreed on HTTP/2 by TLS there is nothing else to be told in.

namespace apus::http::h1 {

using runtime::protocols;

namespace {

constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr codec::refusal http2_only{505, "only HTTP/2 is spoken here, and begins with its preface"};

// Whether a line of these bytes ends as a request line of HTTP/1.0 or HTTP/1.1 does.
bool asks_by_http1(std::string_view bytes) noexcept {
    const auto line = bytes.substr(0, bytes.find('\r'));
    return line.size() < bytes.size() && (line.ends_with(" HTTP/1.1") || line.ends_with(" HTTP/1.0"));
}

}  // namespace

bool connection::begins_http2() const noexcept {
    if (!speaks_http2() || spoken_ == protocols::http1 || (layer() && layer()->application() == "http/1.1"))
        return false;
    return requests_ == 0 && preface.starts_with(core_.unread.substr(0, preface.size()));
}

// Nothing else was agreed on, or is spoken here: the session takes all, and refuses what it must.
bool connection::is_surely_http2() const noexcept {
    constexpr std::size_t enough = 4;  // no method of HTTP/1.1 begins so
    if (layer() && layer()->application() == "h2") return true;
    return spoken_ == protocols::http2 && core_.unread.size() >= enough && begins_http2();
}

// Where only HTTP/2 is spoken, a client of HTTP/1.1 is told so in its own words (RFC 9110, 15.6.6), and
// any other gets the GOAWAY of a session without its preface (RFC 9113, 3.4): null.
const codec::refusal* connection::refused_version() const noexcept {
    return asks_by_http1(core_.unread) ? &http2_only : nullptr;
}

// The session checks the preface, or the rest of it, should it not be there yet.
void connection::hand_over() {
    phase_ = phase::leaving;
    core_.loop.timers().remove(timer_);
    core_.newer().take_over(*this, std::exchange(core_.unread, {}));
}

}  // namespace apus::http::h1
