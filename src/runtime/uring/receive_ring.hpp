// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/buffer_pool.hpp"

#include <cstddef>
#include <vector>

#include <liburing.h>

namespace apus::runtime {

/// Ring of buffers into which the kernel writes received bytes.
/// The kernel uses all buffers, one after the other. So the ring starts with few buffers, and adds more when they run
/// out.
class receive_ring {
public:
    static constexpr int group = 1;

    receive_ring(io_uring& ring, buffer_pool& from) noexcept : ring_(ring), pool_(from) {}
    receive_ring(const receive_ring&) = delete;
    receive_ring& operator=(const receive_ring&) = delete;
    ~receive_ring();

    /// Registers the ring. Returns 0 or a negative errno.
    int open();

    char* buffer(unsigned id) const noexcept { return slots_[id]; }

    /// Returns buffer `id` to the kernel. If a receiver has kept the buffer, a new buffer replaces it.
    void recycle(unsigned id, bool took);

    /// Records an ENOBUFS. The next `publish` doubles the number of buffers.
    void ran_out() noexcept { ran_out_ = true; }

    /// Makes the returned buffers visible to the kernel.
    void publish();

    std::size_t size() const noexcept { return slots_.size(); }  ///< Number of buffers.

private:
    static constexpr unsigned entries = 4096;  // maximum; must be a power of two
    static constexpr unsigned at_first = 32;

    void add(unsigned id) noexcept;
    void more();

    io_uring& ring_;
    buffer_pool& pool_;
    io_uring_buf_ring* shared_ = nullptr;
    unsigned added_ = 0;
    bool ran_out_ = false;
    std::vector<char*> slots_;
};

}  // namespace apus::runtime
