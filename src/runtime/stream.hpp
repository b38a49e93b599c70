// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/outgoing.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace apus::runtime {

class backend;
class record_layer;

/// Bytes that arrived, in a buffer of the loop. They may be kept past the call that brought them
/// by `backend::keep`.
struct received_bytes {
    char* data;
    std::size_t size;
};

/// How bytes are fetched.
enum class intake : std::uint8_t {
    as_it_comes,  ///< In small buffers, with the least cost for each piece: for heads and short bodies.
    in_bulk,      ///< As much at once as there is: for a body of which much is still to come.
    between,      ///< After `in_bulk`, in small buffers: another such body may follow.
};

/// What becomes of a socket when everything has been sent.
enum class after : std::uint8_t {
    go_on,
    half_close,  ///< The peer learns that no more comes; what it still sends is received.
    close,       ///< For a peer that has promised to send no more: `stream::closed` follows.
};

/// A connected socket of one loop, and what is to happen when something comes of it. Made by its
/// user, who must keep it until `closed`. `fd` is -1 once it was handed over. Small: ten thousand of them may be idle.
class stream {
public:
    explicit stream(int fd) noexcept;
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;

    virtual void received(received_bytes) = 0;
    virtual void ended(int error) = 0;               ///< No more will be received: 0 at the peer's end, else an errno.
    virtual void stalled() = 0;                      ///< The kernel did not take all of a batch: the rest waits.
    virtual void drained() = 0;                      ///< Everything that waited has been given to the kernel.
    virtual void progressed(std::size_t bytes) = 0;  ///< So many of the bytes that waited were taken.
    virtual void resumed() {}                        ///< What `backend::yield` asked for: this stream may send again.
    /// What `backend::connect` waited for: 0, or an errno, after which the user closes.
    virtual void connected(int) {}
    virtual void handshake_begun() {}    ///< The first bytes of a handshake with its record layer have come.
    virtual void secured() {}            ///< The handshake of its record layer is over.
    virtual void closed() noexcept = 0;  ///< The loop is done with this object, which may delete itself.

    int fd() const noexcept { return fd_; }

    /// Bytes that wait to be sent. 0 while every send went straight to the kernel.
    std::size_t unsent() const noexcept { return (out_ ? out_->size() : 0) + (layer_ ? unsealed() : 0); }

    /// Bytes of memory that they take: files and static bytes need none.
    std::size_t output_memory() const noexcept {
        return (out_ ? out_->memory() : 0) + (layer_ ? unsealed_memory() : 0);
    }

    intake fetched() const noexcept { return intake_; }

    bool yielded() const noexcept { return yielded_; }  ///< It waits for `resumed`.

    /// Puts a record layer between this and its socket, before anything is received or sent.
    void secure_by(std::unique_ptr<record_layer>) noexcept;
    /// Null: what is sent is what others see.
    const std::unique_ptr<record_layer>& layer() const noexcept { return layer_; }

protected:
    ~stream();

private:
    friend class backend;
    friend class epoll_backend;
    friend class uring_backend;

    // What the kernel has been asked for, to receive from this stream.
    enum class request : std::uint8_t {
        none,
        queued,  // will be asked in the next turn
        bytes,   // in epoll: the socket is in the set
        readiness,
        inherited,  // under the name of the stream before, until the kernel has given it up
    };

    int fd_;
    std::uint32_t sent_in_ = 0;  // the turn of the last send from the arena
    bool wants_bytes_ = false;   // `receive` was called, and not `pause`
    request receiving_ = request::none;
    intake intake_ = intake::as_it_comes;
    bool flushing_ : 1 = false;  // the kernel has a request to send, or watches for room
    bool awaits_room_ = false;   // in io_uring: what was asked to send is whether there is room
    bool dirty_ : 1 = false;     // is in the list of those whose queue is to be sent
    bool ended_ : 1 = false;
    bool met_ : 1 = false;         // has been received from before
    bool connecting_ : 1 = false;  // asked the kernel to connect, which says when it has
    bool keeps_ : 1 = false;       // in bulk: may keep what it is given, so is given less
    // in io_uring: the peer has ended its side, and room must be waited for by other means
    bool half_open_ : 1 = false;
    std::uint8_t singly_ : 4 = 0;  // in io_uring: receives to ask for one at a time
    bool closing_ = false;
    after then_ = after::go_on;   // what follows when the queue is sent
    std::uint8_t pending_ = 0;    // requests in the kernel that name this object
    bool yielded_ = false;        // is in the backlog
    std::uint16_t spent_in_ = 0;  // the turn, by its low bits, in which it sent `spent_` bytes
    std::uint32_t spent_ = 0;
    std::unique_ptr<outgoing> out_;  // as the socket is to get it
    std::unique_ptr<record_layer> layer_;

    std::size_t unsealed() const noexcept;
    std::size_t unsealed_memory() const noexcept;
};

}  // namespace apus::runtime
