// SPDX-License-Identifier: Apache-2.0
#include "outbound/socket_transport.hpp"

#include <cerrno>
#include <utility>

namespace apus::outbound {

socket_transport::socket_transport(runtime::loop& loop, int fd, std::unique_ptr<runtime::record_layer> records) noexcept
    : stream(fd), loop_(loop) {
    if (records) set_record_layer(std::move(records));
}

std::string_view socket_transport::failure() const noexcept {
    return layer() ? layer()->failure() : std::string_view();
}

std::optional<std::string_view> socket_transport::application() const noexcept {
    return layer() ? std::optional(layer()->application()) : std::nullopt;
}

task<int> socket_transport::handshake(std::uint64_t due) {
    loop_.io().start_handshake(*this);
    while (!layer()->handshake_done() && !transport::ended()) {
        const wake why = co_await reading.until(due);
        if (why == wake::late) co_return ETIMEDOUT;
    }
    co_return layer()->handshake_done() ? 0 : EPROTO;
}

task<int> socket_transport::connect(const sockaddr* to, socklen_t size, std::uint64_t due) {
    if (auto known = loop_.io().connect(*this, to, size)) {
        outcome_ = *known;
    } else if (co_await reading.until(due) == wake::late) {
        outcome_ = ETIMEDOUT;
    }
    if (outcome_ != 0) co_return outcome_;
    receive();
    if (!layer()) co_return 0;
    co_return co_await handshake(due);
}

task<int> socket_transport::begin_tls(std::unique_ptr<runtime::record_layer> records, std::uint64_t due) {
    set_record_layer(std::move(records));
    return handshake(due);
}

void socket_transport::connected(int error) {
    outcome_ = error;
    reading.notify();
}

void socket_transport::send(std::string_view bytes) {
    if (!transport::ended()) loop_.io().queue(*this, bytes);
}

void socket_transport::close() noexcept {
    idle_watcher = nullptr;
    loop_.io().close(*this);
}

void socket_transport::use_large_buffers(bool much) {
    if (much) loop_.io().set_receive_mode(*this, runtime::receive_mode::bulk);
    else if (mode() == runtime::receive_mode::bulk)
        loop_.io().set_receive_mode(*this, runtime::receive_mode::small_after_bulk);
}

// Checks the socket directly: the server may have closed an idle connection during this event loop iteration.
bool socket_transport::is_dead() noexcept {
    char byte;
    return transport::ended() || ::recv(fd(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 ||
           (errno != EAGAIN && errno != EINTR);
}

}  // namespace apus::outbound
