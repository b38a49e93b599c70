// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/buffer_pool.hpp"

#include <cstddef>
#include <vector>

#include <liburing.h>

namespace apus::runtime {

/// The ring of buffers that the kernel puts received bytes into. It goes round through all the
/// buffers it was given, so it begins with few and gets more when they run out: memory follows load.
class receive_ring {
public:
    static constexpr int group = 1;

    receive_ring(io_uring& ring, buffer_pool& from) noexcept : ring_(ring), pool_(from) {}
    receive_ring(const receive_ring&) = delete;
    receive_ring& operator=(const receive_ring&) = delete;
    ~receive_ring();

    /// Registers the ring. 0, or a negative errno.
    int open();

    char* buffer(unsigned id) const noexcept { return slots_[id]; }

    /// Gives buffer `id` back to the kernel; a new one in its place if somebody `took` it.
    void recycle(unsigned id, bool took);

    /// The kernel ran out, and says so to everybody who waits: `publish` doubles what it has, once.
    void ran_out() noexcept { ran_out_ = true; }

    /// Shows the kernel what it has got since the last call.
    void publish();

    std::size_t size() const noexcept { return slots_.size(); }  ///< How many buffers there are.

private:
    static constexpr unsigned entries = 4096;  // at most; the kernel wants a power of two
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
