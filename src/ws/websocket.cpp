// SPDX-License-Identifier: Apache-2.0
#include <apus/websocket.hpp>

#include "ws/session.hpp"

#include <utility>

namespace apus {

using codec::websocket::opcode;

websocket_receive::~websocket_receive() {
    if (waits_) of_->stop_waiting();
}
bool websocket_receive::await_ready() noexcept { return !of_ || of_->receive_ready(); }
void websocket_receive::await_suspend(std::coroutine_handle<> reader) noexcept {
    waits_ = true;
    of_->wait(reader);
}
std::optional<websocket_message> websocket_receive::await_resume() noexcept {
    waits_ = false;
    return of_ ? of_->take() : std::nullopt;
}

websocket_send::~websocket_send() {
    if (waits_) of_->stop_waiting_writable();
}
bool websocket_send::await_ready() noexcept { return !sent_ || of_->can_write(); }
void websocket_send::await_suspend(std::coroutine_handle<> writer) {
    waits_ = true;
    of_->wait_writable(writer);
}

websocket::websocket(ws::session& of) noexcept : session_(&of) { of.handle_ = this; }
websocket::websocket(websocket&& other) noexcept : session_(std::exchange(other.session_, nullptr)) {
    if (session_) session_->handle_ = this;
}
websocket& websocket::operator=(websocket&& other) noexcept {
    std::swap(session_, other.session_);
    for (websocket* w : {this, &other})
        if (w->session_) w->session_->handle_ = w;
    return *this;
}
websocket::~websocket() {
    if (session_) session_->handle_ = nullptr;
}

websocket_send websocket::send(std::string_view text) {
    return {session_, session_ && session_->send(opcode::text, text)};
}
websocket_send websocket::send_binary(std::string_view bytes) {
    return {session_, session_ && session_->send(opcode::binary, bytes)};
}
websocket_send websocket::send(const websocket_message& same) {
    return {session_, session_ && session_->send(same.binary ? opcode::binary : opcode::text, same.bytes)};
}

void websocket::close(unsigned code, std::string_view reason) {
    if (session_) session_->close(code, reason);
}

void websocket::resume_hint(std::string_view hint) {
    if (session_) session_->set_resume_hint(hint);
}

bool websocket::is_open() const noexcept { return session_ && session_->is_open(); }
unsigned websocket::close_code() const noexcept { return session_ ? session_->code() : 1006; }
std::string_view websocket::close_reason() const noexcept { return session_ ? session_->reason() : std::string_view(); }
std::string_view websocket::subprotocol() const noexcept {
    return session_ ? session_->subprotocol : std::string_view();
}

}  // namespace apus
