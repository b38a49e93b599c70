// SPDX-License-Identifier: Apache-2.0
#include "server/test_client_parts.hpp"

#include <apus/test.hpp>

#include <utility>

namespace apus::test {

using codec::websocket::opcode;

websocket::~websocket() { delete parts_; }

const response& websocket::handshake() const noexcept { return parts_->peer->opening; }
std::string_view websocket::subprotocol() const noexcept { return handshake().header("sec-websocket-protocol"); }
bool websocket::is_open() const noexcept { return parts_->peer->is_open(); }
unsigned websocket::pings() const noexcept { return parts_->peer->pings; }
void websocket::respond_to_pings(bool whether) noexcept { parts_->peer->answers_pings = whether; }

void websocket::send(std::string_view text) { parts_->peer->send(opcode::text, text); }
void websocket::send_binary(std::string_view bytes) { parts_->peer->send(opcode::binary, bytes); }
void websocket::close(unsigned code, std::string_view reason) { parts_->peer->close(code, reason); }

std::optional<message> websocket::receive() {
    auto& of = *parts_->peer;
    parts_->wait([&of] { return !of.messages.empty() || of.over(); });
    if (of.messages.empty()) return {};
    message first = std::move(of.messages.front());
    of.messages.pop_front();
    return first;
}

bool websocket::has_message() {
    server::settle(*parts_->loop);
    return !parts_->peer->messages.empty();
}

unsigned websocket::close_code() {
    auto& of = *parts_->peer;
    parts_->wait([&of] { return of.over(); });
    return of.close_code ? of.close_code : 1006;
}

std::string_view websocket::close_reason() {
    close_code();
    return parts_->peer->close_reason;
}

}  // namespace apus::test
