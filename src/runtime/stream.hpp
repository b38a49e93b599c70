// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/outgoing.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace apus::runtime {

class backend;

/// Bytes that arrived, in a buffer of the loop. They may be kept past the call that brought them
/// by `backend::keep`.
struct received_bytes {
    char* data;
    std::size_t size;
};

/// What becomes of a socket when everything has been sent.
enum class after : std::uint8_t {
    go_on,
    half_close,  ///< The peer learns that no more comes; what it still sends is received.
    close,       ///< For a peer that has promised to send no more: `stream::closed` follows.
};

/// A connected socket of one loop, and what is to happen when something comes of it. Made by its
/// user, who must keep it until `closed`. Small: ten thousand of them may be idle.
class stream {
public:
    explicit stream(int fd) noexcept : fd_(fd) {}
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;

    virtual void received(received_bytes) = 0;
    virtual void ended(int error) = 0;  ///< No more will be received: 0 at the peer's end, else an errno.
    virtual void stalled() = 0;         ///< The kernel did not take all of a batch: the rest waits.
    virtual void drained() = 0;         ///< Everything that waited has been given to the kernel.
    virtual void progressed(std::size_t bytes) = 0;  ///< So many of the bytes that waited were taken.
    virtual void closed() noexcept = 0; ///< The loop is done with this object, which may delete itself.

    int fd() const noexcept { return fd_; }

    /// Bytes that wait to be sent. 0 while every send went straight to the kernel.
    std::size_t unsent() const noexcept { return out_ ? out_->size() : 0; }

protected:
    ~stream() = default;

private:
    friend class backend;
    friend class epoll_backend;
    friend class uring_backend;

    int fd_;
    std::uint32_t sent_in_ = 0;    // the turn of the last send from the arena
    bool wants_bytes_ = false;     // `receive` was called, and not `pause`
    bool receiving_ = false;       // the kernel has a request to receive, or watches for bytes
    bool flushing_ = false;        // the kernel has a request to send, or watches for room
    bool dirty_ = false;           // is in the list of those whose queue is to be sent
    bool ended_ = false;
    bool closing_ = false;
    after then_ = after::go_on;    // what follows when the queue is sent
    std::uint8_t pending_ = 0;     // requests in the kernel that name this object
    std::unique_ptr<outgoing> out_;
};

}  // namespace apus::runtime
