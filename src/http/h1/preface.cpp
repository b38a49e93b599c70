// SPDX-License-Identifier: Apache-2.0
#include "http/h1/protocol.hpp"
#include "runtime/record_layer.hpp"

#include <utility>

// Detects HTTP/2 by the client preface (RFC 9113, 3.4). The HTTP/1.1 parser rejects the preface as a request with an
// unsupported version, and the preface is checked only after this error. So detection adds no cost to other requests.
// Two cases are decided before the first request is parsed: HTTP/2 that TLS has negotiated, and the preface on a
// listener that accepts only HTTP/2.

namespace apus::http::h1 {

using runtime::protocols;

namespace {

constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr codec::refusal http2_only{505, "this port supports only HTTP/2: send the connection preface"};

// Returns true if the first line ends like a request line of HTTP/1.0 or HTTP/1.1.
bool is_http1_request(std::string_view bytes) noexcept {
    const auto line = bytes.substr(0, bytes.find('\r'));
    return line.size() < bytes.size() && (line.ends_with(" HTTP/1.1") || line.ends_with(" HTTP/1.0"));
}

}  // namespace

bool protocol::may_be_http2_preface() const noexcept {
    if (!http2_enabled() || protocols_ == protocols::http1 ||
        (connection_.layer() && connection_.layer()->application() == "http/1.1"))
        return false;
    return requests_ == 0 && preface.starts_with(own().unread.substr(0, preface.size()));
}

// Returns true if the HTTP/2 session must take over before the HTTP/1.1 parser runs: TLS has negotiated h2, or the
// listener accepts only HTTP/2 and the input begins like the preface.
bool protocol::is_http2_preface() const noexcept {
    constexpr std::size_t enough = 4;  // no HTTP/1.1 method begins with these bytes
    if (connection_.layer() && connection_.layer()->application() == "h2") return true;
    return protocols_ == protocols::http2 && own().unread.size() >= enough && may_be_http2_preface();
}

// On an HTTP/2-only listener, returns a 505 for HTTP/1.1 clients (RFC 9110, 15.6.6), and null for other clients: the
// session responds to an invalid preface with GOAWAY (RFC 9113, 3.4).
const codec::refusal* protocol::refused_version() const noexcept {
    return is_http1_request(own().unread) ? &http2_only : nullptr;
}

// The HTTP/2 session checks the whole preface; a part of it may not have arrived yet.
void protocol::switch_to_http2() {
    phase_ = phase::replaced;
    core_.loop.timers().remove(*this);
    own().http2().upgrade(connection_, std::exchange(own().unread, {}));
}

}  // namespace apus::http::h1
