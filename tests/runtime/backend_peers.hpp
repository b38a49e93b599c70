// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/backend.hpp"
#include "support/skipped.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace apus::test {

/// Returns a file in memory.
inline runtime::file_ref file_of(std::string_view bytes) {
    auto made = std::make_shared<const runtime::file>(memfd_create("apus", MFD_CLOEXEC));
    REQUIRE(write(made->fd(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    return made;
}

/// Runs `check` with each available backend. Without io_uring, the test case counts as skipped.
inline void on_each_backend(const std::function<void(runtime::backend&)>& check) {
    for (std::string name : {"epoll", "uring"}) {
        CAPTURE(name);
        std::string why;
        auto io = name == "epoll" ? runtime::make_epoll_backend() : runtime::make_uring_backend(why);
        if (io) check(*io);
        else support::skip_uring(why);
    }
}

/// Runs the loop until `done`, for at most a minute: ThreadSanitizer on a busy machine is slow. Returns `done()`.
inline bool turn_until(runtime::backend& io, const std::function<bool()>& done) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!done() && std::chrono::steady_clock::now() < until) io.turn(0);
    return done();
}

struct socket_ends {
    int ours, theirs;
};
inline socket_ends unix_pair() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::system_error(errno, std::generic_category(), "socketpair");
    return {ends[0], ends[1]};
}

/// A stream that records its events, and the other end of its connection.
class noting_stream final : public runtime::stream {
public:
    explicit noting_stream(runtime::backend& io, socket_ends between = unix_pair())
        : stream(between.ours), io_(io), peer_(between.theirs) {}
    /// Closes the stream, and runs the loop until it has released the stream.
    ~noting_stream() {
        io_.close(*this);
        turn_until(io_, [this] { return closes > 0; });
        hang_up();
    }

    std::string got;  ///< Received bytes.
    int end = -1;     ///< Error that `ended` received; -1: not called yet.
    unsigned ends = 0, stalls = 0, drains = 0, closes = 0, resumes = 0;
    std::size_t progress = 0;
    /// Called on the event. `on_received` replaces recording the bytes; the others are called after recording.
    std::function<void(runtime::received_bytes)> on_received;
    std::function<void()> on_ended, on_drained, on_progress, on_resumed;

    // The peer's side, which never blocks.
    int peer() const noexcept { return peer_; }
    void give(std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t n = ::send(peer_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            REQUIRE(n > 0);
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
    }
    /// Returns up to `most` bytes without waiting. Records the end or an error, whichever comes first, in `peer_saw`.
    std::string take(std::size_t most = 1 << 16) {
        std::string bytes(most, '\0');
        const ssize_t n = ::recv(peer_, bytes.data(), most, 0);
        if (peer_saw.empty() && n == 0) peer_saw = "end";
        else if (peer_saw.empty() && n < 0 && errno != EAGAIN) peer_saw = std::strerror(errno);
        bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
        return bytes;
    }
    std::string peer_saw;
    void hang_up() noexcept {
        if (peer_ >= 0) ::close(std::exchange(peer_, -1));
    }

    /// Returns all bytes up to the end, read in pieces of `piece` bytes, with a turn after each.
    std::string take_all(std::size_t piece = 1 << 16) {
        std::string all;
        turn_until(io_, [&] {
            all += take(piece);
            return !peer_saw.empty();
        });
        return all;
    }

private:
    void received(runtime::received_bytes b) override {
        if (on_received) on_received(b);
        else got.append(b.data, b.size);
    }
    void ended(int error) override {
        end = error;
        ++ends;
        if (on_ended) on_ended();
    }
    void stalled() override { ++stalls; }
    void drained() override {
        ++drains;
        if (on_drained) on_drained();
    }
    void progressed(std::size_t bytes) override {
        progress += bytes;
        if (on_progress) on_progress();
    }
    void resumed() override {
        ++resumes;
        if (on_resumed) on_resumed();
    }
    void closed() noexcept override { ++closes; }

    runtime::backend& io_;
    int peer_;
};

/// Returns bytes in which each group of eight contains its position.
/// Lost and reordered bytes are thereby detected.
inline std::string numbered_bytes(std::size_t size, unsigned from = 0) {
    std::string all;
    for (unsigned n = from; all.size() < size; ++n) {
        std::string number = std::to_string(n);
        all.append(7 - number.size(), '.').append(number).append(" ");
    }
    all.resize(size);
    return all;
}

/// Writes `bytes` into the arena and sends them.
inline void send_batch(runtime::backend& io, runtime::stream& to, std::string_view bytes,
                       runtime::after then = runtime::after::keep_open) {
    auto& arena = io.arena();
    arena.begin();
    char* room = arena.room(bytes.size());
    std::memcpy(room, bytes.data(), bytes.size());
    arena.wrote(room + bytes.size());
    io.send(to, arena.batch(), then);
    arena.begin();
}

}  // namespace apus::test
