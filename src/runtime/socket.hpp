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

/// Received bytes in a buffer of the loop. Valid during the call; `backend::keep` takes the buffer.
struct received_bytes {
    char* data;
    std::size_t size;
};

/// Selects the buffers for received bytes.
enum class receive_mode : std::uint8_t {
    small,             ///< Small buffers, with the least cost per piece: for heads and short bodies.
    bulk,              ///< Large buffers: for the rest of a long body.
    small_after_bulk,  ///< Small buffers after `bulk`: another long body may follow.
};

/// Action on a socket when all output is sent.
enum class after : std::uint8_t {
    keep_open,
    half_close,  ///< Shuts down sending; input is still received.
    /// Closes the socket, for peers that send no more: `receiver::closed` follows.
    /// Half-closes it if input is unread.
    close,
};

/// Event handler of a socket, called on its loop.
class receiver {
public:
    virtual void received(received_bytes) = 0;
    virtual void ended(int error) = 0;  ///< No more input follows: 0 at the end of the peer's data, else an errno.
    virtual void stalled() = 0;         ///< The kernel took only a part of a batch; the rest is queued.
    virtual void drained() = 0;         ///< The kernel has taken all queued output.
    virtual void progressed(std::size_t bytes) = 0;  ///< The kernel has taken this many queued bytes.
    virtual void resumed() {}                        ///< The socket may send again after `backend::yield`.
    /// Result of `backend::connect`: 0 or an errno. After an error the receiver closes the socket.
    virtual void connected(int) {}
    virtual void handshake_begun() {}    ///< The first bytes of a handshake with the record layer have arrived.
    virtual void secured() {}            ///< The handshake of the record layer is complete.
    virtual void closed() noexcept = 0;  ///< The loop has released the socket, which may now be destroyed.

protected:
    ~receiver() = default;
};

/// A connected socket of one loop.
/// Outlives protocol changes: kernel requests refer to the socket, which passes events to its current receiver. The
/// owner must keep the socket until `receiver::closed`. Small, since ten thousand sockets may be idle.
class socket {
public:
    explicit socket(int fd, receiver* first = nullptr) noexcept;
    socket(const socket&) = delete;
    socket& operator=(const socket&) = delete;

    /// Sets the receiver of all further events; may be called within an event.
    /// Required before receiving or sending. The previous receiver may be destroyed at once.
    void set_receiver(receiver& next) noexcept { receiver_ = &next; }

    int fd() const noexcept { return fd_; }

    /// Bytes in the output queue. 0 if the kernel took every send at once.
    std::size_t unsent() const noexcept { return (out_ ? out_->size() : 0) + (layer_ ? unsealed() : 0); }

    /// Memory of the output queue in bytes: files and static bytes need none.
    std::size_t output_memory() const noexcept {
        return (out_ ? out_->memory() : 0) + (layer_ ? unsealed_memory() : 0);
    }

    receive_mode mode() const noexcept { return mode_; }

    bool yielded() const noexcept { return yielded_; }  ///< The socket waits for `receiver::resumed`.

    /// Inserts a record layer, before anything is sent.
    /// Bytes received before are not passed through it.
    void set_record_layer(std::unique_ptr<record_layer>) noexcept;
    /// Null: plain text.
    const std::unique_ptr<record_layer>& layer() const noexcept { return layer_; }

protected:
    ~socket();

private:
    friend class backend;
    friend class epoll_backend;
    friend class uring_backend;

    // The pending receive request.
    enum class request : std::uint8_t {
        none,
        queued,  // submitted in the next turn
        bytes,   // epoll: the socket is in the set
        readiness,
    };

    receiver* receiver_;
    int fd_;
    std::uint32_t sent_in_ = 0;  // the turn of the last send from the arena
    bool wants_bytes_ = false;   // `receive` was called, and not `pause` after it
    request receiving_ = request::none;
    receive_mode mode_ = receive_mode::small;
    bool flushing_ : 1 = false;     // a send request, or a wait for room, is pending
    bool awaits_room_ : 1 = false;  // io_uring: the pending request waits for room
    bool dirty_ : 1 = false;        // in the list of sockets with queued output
    bool ended_ : 1 = false;
    bool met_ : 1 = false;         // has received before
    bool connecting_ : 1 = false;  // a connect request is pending
    bool keeps_ : 1 = false;       // the receiver may keep bulk buffers, so they are smaller
    // io_uring: the peer has shut down sending, so waiting for room needs a multishot request
    bool half_open_ : 1 = false;
    std::uint8_t singly_ : 4 = 0;  // io_uring: how many single-shot receives to use
    bool closing_ = false;
    after then_ = after::keep_open;  // action when the queue is sent
    std::uint8_t pending_ = 0;       // pending kernel requests that refer to this object
    bool yielded_ = false;           // in the backlog
    std::uint16_t spent_in_ = 0;     // low bits of the turn in which `spent_` bytes were sent
    std::uint32_t spent_ = 0;
    std::unique_ptr<outgoing> out_;  // output queue, encrypted if there is a record layer
    std::unique_ptr<record_layer> layer_;

    std::size_t unsealed() const noexcept;
    std::size_t unsealed_memory() const noexcept;
};

/// A socket that is its own receiver for its whole life.
class stream : public receiver, public socket {
protected:
    explicit stream(int fd) noexcept : socket(fd, this) {}
    ~stream() = default;
};

}  // namespace apus::runtime
