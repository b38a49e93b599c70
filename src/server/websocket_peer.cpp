// SPDX-License-Identifier: Apache-2.0
#include "server/websocket_peer.hpp"

#include "codec/websocket/close.hpp"
#include "codec/websocket/mask.hpp"

#include <exception>
#include <utility>

namespace apus::server {

using namespace codec::websocket;

namespace {

constexpr std::uint32_t mask = 0x5a0ff1c3;  // a constant suffices: random masks protect intermediaries

}  // namespace

websocket_peer::websocket_peer(runtime::loop& loop, int fd) : stream(fd), loop_(loop) { loop_.io().receive(*this); }

void websocket_peer::open(std::string_view handshake) {
    opening.request = handshake;
    loop_.io().queue(*this, handshake);
}

void websocket_peer::send(opcode what, std::string_view payload) {
    if (gone_ || close_sent_) return;
    std::string frame(max_frame_head, '\0');
    frame.resize(static_cast<std::size_t>(
        write_masked_frame_head(frame.data(), {payload.size(), mask, what, true, false}) - frame.data()));
    const std::size_t head = frame.size();
    frame += payload;
    apply_mask(frame.data() + head, payload.size(), mask);
    loop_.io().queue(*this, frame);
}

void websocket_peer::close(unsigned code, std::string_view reason) {
    char payload[max_control_size];
    const char* end = code == 1005 ? payload : write_close(payload, {static_cast<std::uint16_t>(code), reason});
    send(opcode::close, {payload, static_cast<std::size_t>(end - payload)});
    close_sent_ = true;
}

void websocket_peer::received(runtime::received_bytes came) {
    try {
        unread_.append(came.data, came.size);
        if (!answered_) read_opening();
        while (is_socket() && broken.empty() && read_frame()) {}
    } catch (const std::exception& e) {
        broken = e.what();
    }
}

void websocket_peer::ended(int) {
    gone_ = true;
    refusal_.end();
    if (!answered_) received({nullptr, 0});
}

void websocket_peer::read_opening() {
    const auto end = unread_.find("\r\n\r\n");
    if (unread_.starts_with("HTTP/1.1 101 ") && end != unread_.npos) {
        opening.status = 101;
        opening.head = unread_.substr(0, end + 4);
        unread_.erase(0, end + 4);
        answered_ = true;
        return;
    }
    if (end == unread_.npos && !refusal_.has_head()) return;
    refusal_.append(std::exchange(unread_, {}));
    if (auto whole = refusal_.next(false)) {
        whole->request = std::move(opening.request);
        opening = *std::move(whole);
        answered_ = true;
    }
}

bool websocket_peer::read_frame() {
    const auto got = read_frame_head(unread_, {.masked = false, .compressed = false});
    if (got.state == codec::outcome::bad) broken = got.why->reason;
    if (got.state != codec::outcome::done || unread_.size() - got.used < got.value.size) return false;
    const std::string payload = unread_.substr(got.used, got.value.size);
    unread_.erase(0, got.used + got.value.size);
    take(got.value, payload);
    return true;
}

void websocket_peer::take(const frame_head& frame, std::string_view payload) {
    switch (frame.what) {
        case opcode::text:
        case opcode::binary: messages.push_back({std::string(payload), frame.what == opcode::binary}); break;
        case opcode::continuation: break;  // an app never fragments messages
        case opcode::pong: break;
        case opcode::ping:
            ++pings;
            if (answers_pings) send(opcode::pong, payload);
            break;
        case opcode::close: {
            const auto why = read_close(payload);
            close_code = why.value.code;
            close_reason = why.value.text;
            if (!close_sent_) close(close_code, {});
        }
    }
}

}  // namespace apus::server
