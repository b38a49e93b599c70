// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <liburing.h>

#include <cstdint>
#include <string_view>

#include "event.hpp"

struct sockaddr_in;

namespace load {

/// One thread's io_uring, with registered files and provided buffers.
/// All calls must come from the thread that created it.
class ring {
public:
    /// Throws std::system_error if io_uring is forbidden or too old.
    explicit ring(unsigned connections);
    ~ring();
    ring(const ring&) = delete;
    ring& operator=(const ring&) = delete;

    void attach(std::uint32_t slot, int descriptor);
    void connect(std::uint32_t slot, const sockaddr_in&);
    /// Receives continuously, until the end of the stream or until no buffer is left.
    void receive(std::uint32_t slot);
    void receive_once(std::uint32_t slot);                  ///< Receives into one buffer.
    void discard(std::uint32_t slot, std::uint64_t bytes);  ///< Receives at most `bytes` and discards them.
    void stop_receiving(std::uint32_t slot);                ///< Ends `receive`, which reports -ECANCELED.
    /// Sends bytes, which must not change until the send is complete. Only failures are reported.
    void send(std::uint32_t slot, std::string_view);

    void wait(std::uint64_t nanoseconds);  ///< submits requests and waits for an event

    template <class Callback>
    void each_event(Callback&& callback) {
        unsigned head = 0, seen = 0;
        given_back_ = 0;
        io_uring_cqe* cqe = nullptr;
        io_uring_for_each_cqe(&ring_, head, cqe) {
            ++seen;
            event e{did(cqe->user_data >> 32),
                    std::uint32_t(cqe->user_data),
                    cqe->res,
                    (cqe->flags & IORING_CQE_F_MORE) != 0,
                    {}};
            if (!(cqe->flags & IORING_CQE_F_BUFFER)) {
                callback(e);
                continue;
            }
            const auto buffer = std::uint16_t(cqe->flags >> IORING_CQE_BUFFER_SHIFT);
            if (e.result > 0) e.data = {memory_ + std::size_t(buffer) * buffer_bytes, std::size_t(e.result)};
            callback(e);
            give_back(buffer);
        }
        io_uring_buf_ring_advance(buffers_, given_back_);
        io_uring_cq_advance(&ring_, seen);
    }

private:
    static constexpr std::size_t buffer_bytes = 16'384;
    static constexpr std::uint16_t group = 1;

    io_uring_sqe* entry(did, std::uint32_t slot);
    static void into_group(io_uring_sqe*);
    void make_buffers(unsigned connections);
    void release();

    void give_back(std::uint16_t buffer) {
        io_uring_buf_ring_add(buffers_, memory_ + std::size_t(buffer) * buffer_bytes, buffer_bytes, buffer,
                              io_uring_buf_ring_mask(count_), given_back_++);
    }

    io_uring ring_{};
    io_uring_buf_ring* buffers_ = nullptr;
    char* memory_ = nullptr;
    unsigned count_ = 0;
    int given_back_ = 0;
};

}  // namespace load
