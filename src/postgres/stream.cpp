// SPDX-License-Identifier: Apache-2.0
#include "postgres/stream.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

namespace apus::postgres {
namespace {

constexpr std::size_t piece = std::size_t(32) << 10U;  // bytes received at once
constexpr unsigned most_pieces = 32;
constexpr std::size_t kept = std::size_t(64) << 10U;  // larger buffers are freed when they are empty

void clear(std::string& buffer) noexcept {
    if (buffer.capacity() > kept) std::string().swap(buffer);
    else buffer.clear();
}

}  // namespace

stream::stream(pgconn_ptr c)
    : conn_(std::move(c)), fd_(PQsocket(conn_.get())), tls_(static_cast<SSL*>(PQsslStruct(conn_.get(), "OpenSSL"))) {
    if (tls_) SSL_set_mode(tls_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

// Returns the number of bytes sent, 0 if the socket has no room, -1 for an error.
ssize_t stream::write() {
    const std::string_view left = std::string_view(out).substr(sent_);
    if (!tls_) {
        const ssize_t n = ::send(fd_, left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : n;
    }
    ERR_clear_error();
    std::size_t n = 0;
    if (SSL_write_ex(tls_, left.data(), left.size(), &n) == 1) return static_cast<ssize_t>(n);
    const int why = SSL_get_error(tls_, 0);
    return why == SSL_ERROR_WANT_WRITE || why == SSL_ERROR_WANT_READ ? 0 : -1;
}

bool stream::send() {
    if (!conn_ || failed_) return clear(out), false;
    while (sent_ < out.size()) {
        const ssize_t n = write();
        if (n == 0) return true;
        if (n < 0) {
            failed_ = true;
            break;
        }
        sent_ += static_cast<std::size_t>(n);
    }
    sent_ = 0;
    clear(out);
    return false;
}

stream::received stream::read_record(char* to, std::size_t size) {
    ERR_clear_error();
    std::size_t n = 0;
    if (SSL_read_ex(tls_, to, size, &n) == 1) return {outcome::bytes, n};
    switch (SSL_get_error(tls_, 0)) {
        case SSL_ERROR_WANT_READ:
        case SSL_ERROR_WANT_WRITE: return {outcome::blocked};
        case SSL_ERROR_SSL: return {outcome::ended, 0, "TLS error on the connection to PostgreSQL"};
        default: return {outcome::ended, 0, "PostgreSQL has closed the connection"};
    }
}

stream::received stream::read(char* to, std::size_t size) {
    if (tls_) return read_record(to, size);
    const ssize_t n = ::recv(fd_, to, size, MSG_DONTWAIT);
    if (n > 0) return {outcome::bytes, static_cast<std::size_t>(n)};
    if (n == 0) return {outcome::ended, 0, "PostgreSQL has closed the connection"};
    if (errno == EAGAIN || errno == EINTR) return {outcome::blocked};
    return {outcome::ended, 0, std::string("connection to PostgreSQL: ") + std::strerror(errno)};
}

// Returns the number of bytes that were passed on.
std::size_t stream::pass_messages(std::string_view bytes, stream_reader& to) {
    std::size_t used = 0;
    while (conn_ && !paused_) {
        const bool row = used < bytes.size() && (bytes[used] == 'D' || bytes[used] == 'd');
        const auto found = codec::postgres::read_message(bytes.substr(used), row ? to.max_row() : 0);
        if (found.state == codec::outcome::partial) break;
        if (found.state == codec::outcome::bad) {
            to.on_end(found.why, found.why->reason);
            break;
        }
        used += found.used;
        paused_ = !to.on_message(found.value);
    }
    return used;
}

// Returns false if the reader has paused or the stream was closed.
bool stream::pass(std::string_view bytes, stream_reader& to) {
    if (rest_.empty()) {
        const std::size_t used = pass_messages(bytes, to);
        if (used != bytes.size()) rest_.assign(bytes.substr(used));
    } else {
        rest_.append(bytes);
        const std::size_t used = pass_messages(rest_, to);
        if (used == rest_.size()) clear(rest_);
        else rest_.erase(0, used);
    }
    return conn_ && !paused_;
}

void stream::receive(stream_reader& to) {
    char room[piece];
    if (std::exchange(paused_, false) && !pass({}, to)) return;
    for (unsigned pieces = 0; conn_; ++pieces) {
        // OpenSSL may have buffered received bytes, for which the socket does not become readable.
        const bool pending = tls_ && SSL_pending(tls_) > 0;
        if (pieces >= most_pieces && !pending) return;
        const received got = read(room, sizeof room);
        if (got.what == outcome::ended) return to.on_end(nullptr, got.why);
        if (got.what == outcome::blocked || !pass({room, got.size}, to)) return;
        if (!tls_ && got.size < sizeof room) return;
    }
}

}  // namespace apus::postgres
