// SPDX-License-Identifier: Apache-2.0
#include "ws/session_span.hpp"

#include <exception>
#include <string>
#include <utility>

namespace apus::ws {
namespace {

// Whether a close code reports a failure (RFC 6455, 7.4.1). Codes from 3000 have meanings of the program.
bool is_failure(unsigned code) noexcept {
    constexpr unsigned normal = 1000, going_away = 1001, without_code = 1005, restart = 1012, first_of_programs = 3000;
    return code != normal && code != going_away && code != without_code && code != restart && code < first_of_programs;
}

}  // namespace

std::unique_ptr<session_span> session_span::begin(tracing::trace* in, tracing::open_span::nesting nesting) noexcept {
    if (!in) return nullptr;
    tracing::open_span* made = nullptr;
    try {
        made = new tracing::open_span(*in, "websocket", tracing::span_kind::internal, in->innermost(), nesting);
        return std::unique_ptr<session_span>(new session_span(*made));
    } catch (const std::exception&) {  // out of memory
        if (made) made->end();
        return nullptr;
    }
}

// Without the reply of the peer, the session would end with 1006, which hides the failure.
void session_span::sent_close(unsigned code) noexcept {
    if (is_failure(code)) sent_failure_ = code;
}

void session_span::end(unsigned code, std::string_view subprotocol) noexcept {
    auto* const ended = std::exchange(of_, nullptr);
    if (!ended) return;
    if (sent_failure_ != 0) code = sent_failure_;
    ended->data.failed = is_failure(code);
    try {
        auto& to = ended->data.attributes;
        to.add({"network.protocol.name", "websocket"});
        if (!subprotocol.empty()) to.add({"apus.websocket.subprotocol", subprotocol});
        to.add({"apus.websocket.messages_received", messages_received_});
        to.add({"apus.websocket.bytes_received", bytes_received_});
        to.add({"apus.websocket.messages_sent", messages_sent_});
        to.add({"apus.websocket.bytes_sent", bytes_sent_});
        to.add({"apus.websocket.close_code", code});
        if (ended->data.failed) to.add({"error.type", std::to_string(code)});
    } catch (const std::exception&) {
        ended->data.failed = true;  // out of memory; the span is incomplete
    }
    ended->end();
}

}  // namespace apus::ws
