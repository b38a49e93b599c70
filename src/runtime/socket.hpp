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

/// Received bytes in a buffer of the loop. Valid during the call, unless `backend::keep` is called.
struct received_bytes {
    char* data;
    std::size_t size;
};

/// Selects the buffers for received bytes.
enum class receive_mode : std::uint8_t {
    small,             ///< Small buffers with the least cost per read, for heads and short bodies.
    bulk,              ///< Large buffers, for the rest of a long body.
    small_after_bulk,  ///< Small buffers after `bulk`, because another long body may follow.
};

/// Action on a socket when all output is sent.
enum class after : std::uint8_t {
    keep_open,
    half_close,  ///< Shuts down sending; input is still received.
    /// Closes the socket; for peers that send no further input.
    /// If input is unread, or output is in transit, only shuts down sending. `receiver::closed` follows a close.
    close,
};

/// Event handler of a socket, called on its loop.
class receiver {
public:
    virtual void received(received_bytes) = 0;
    virtual void ended(int error) = 0;  ///< The input has ended. 0: end of stream; otherwise an errno.
    virtual void stalled() = 0;         ///< The kernel has taken only a part of a batch; the rest is queued.
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
/// Kernel requests refer to the socket, which passes events to its current receiver. So a change of the protocol need
/// not wait for pending requests. The owner must keep the socket until `receiver::closed`. The object is small, because
/// a server may have many idle sockets.
class socket {
public:
    explicit socket(int fd, receiver* first = nullptr) noexcept;
    socket(const socket&) = delete;
    socket& operator=(const socket&) = delete;

    /// Sets the receiver of all further events; may be called within an event.
    /// Required before receiving or sending. The previous receiver may be destroyed at once.
    void set_receiver(receiver& next) noexcept { receiver_ = &next; }

    int fd() const noexcept { return fd_; }

    /// Returns the bytes in the output queue. 0 if the kernel has taken all sends at once.
    std::size_t unsent() const noexcept { return (out_ ? out_->size() : 0) + (layer_ ? unsealed() : 0); }

    /// Returns the memory of the output queue in bytes. Files and static bytes do not count.
    std::size_t output_memory() const noexcept {
        return (out_ ? out_->memory() : 0) + (layer_ ? unsealed_memory() : 0);
    }

    receive_mode mode() const noexcept { return mode_; }

    /// Number of kinds of `backend::traffic`. The owner of a socket selects its kind.
    static constexpr unsigned traffic_kinds = 4;
    /// The kind is not known yet: `backend::decide_traffic` selects it, also for earlier bytes.
    static constexpr unsigned undecided_traffic = traffic_kinds;
    /// Selects the kind before the first byte is received or sent.
    void begin_traffic_as(unsigned kind) noexcept { traffic_kind_ = kind & 7U; }
    bool has_undecided_traffic() const noexcept { return traffic_kind_ == undecided_traffic; }

    bool yielded() const noexcept { return yielded_; }  ///< The socket waits for `receiver::resumed`.

    /// Inserts a record layer.
    /// Call it before bytes are sent. The `earlier` bytes received before are not passed through the layer.
    void set_record_layer(std::unique_ptr<record_layer>, std::size_t earlier = 0) noexcept;
    /// Returns the record layer; null for plain text.
    const std::unique_ptr<record_layer>& layer() const noexcept { return layer_; }

protected:
    ~socket();
    receiver* current_receiver() const noexcept { return receiver_; }

private:
    friend class backend;
    friend class epoll_backend;
    friend class uring_backend;

    // The pending receive request.
    enum class request : std::uint8_t {
        none,
        queued,  // submitted in the next turn
        bytes,   // epoll: the socket is registered
        readiness,
    };

    receiver* receiver_;
    int fd_;
    std::uint32_t sent_in_ = 0;  // turn of the last send from the arena
    bool wants_bytes_ = false;   // `receive` was called after the last `pause`
    request receiving_ = request::none;
    receive_mode mode_ = receive_mode::small;
    bool flushing_ : 1 = false;     // a send request or a wait for POLLOUT is pending
    bool awaits_room_ : 1 = false;  // io_uring: the pending request waits for POLLOUT
    bool dirty_ : 1 = false;        // in `backend::dirty_`
    bool ended_ : 1 = false;
    bool met_ : 1 = false;         // a receive was already tried or requested
    bool connecting_ : 1 = false;  // a connect request is pending
    bool keeps_ : 1 = false;       // the receiver may keep bulk buffers, so smaller buffers are used
    // io_uring: the peer has shut down sending, so waiting for POLLOUT needs a multishot request
    bool half_open_ : 1 = false;
    std::uint8_t singly_ : 4 = 0;  // io_uring: number of single-shot receives to use before multishot
    std::uint8_t traffic_kind_ : 3 = 0;
    bool closing_ = false;
    after then_ = after::keep_open;  // action when the queue is sent
    std::uint8_t pending_ = 0;       // pending kernel requests that refer to this object
    bool yielded_ = false;           // in the backlog
    std::uint16_t spent_in_ = 0;     // low bits of the turn in which `spent_` bytes were sent
    std::uint32_t spent_ = 0;
    std::unique_ptr<outgoing> out_;  // output queue; encrypted with a record layer
    std::unique_ptr<record_layer> layer_;

    std::size_t unsealed() const noexcept;
    std::size_t unsealed_memory() const noexcept;
};

/// A socket that is always its own receiver.
class stream : public receiver, public socket {
protected:
    explicit stream(int fd) noexcept : socket(fd, this) {}
    ~stream() = default;
};

}  // namespace apus::runtime
