// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../limit-epoll/listening.hpp"

#include <liburing.h>
#include <string_view>
#include <sys/mman.h>

namespace limit {

struct shape {
    std::uint16_t group;
    unsigned first_id;
    unsigned count;  ///< A power of two.
    unsigned size;   ///< Bytes of one buffer.
};

/// Buffers from which the kernel selects one for received data.
class buffers {
public:
    buffers(io_uring& ring, shape of) : of_(of) {
        ring_ = static_cast<io_uring_buf_ring*>(pages(of.count * sizeof(io_uring_buf), MAP_POPULATE));
        memory_ = static_cast<char*>(pages(std::size_t(of.count) * of.size, 0));
        io_uring_buf_reg wanted{};
        wanted.ring_addr = reinterpret_cast<std::uintptr_t>(ring_);
        wanted.ring_entries = of.count;
        wanted.bgid = of.group;
        if (int error = io_uring_register_buf_ring(&ring, &wanted, 0)) give_up("io_uring_register_buf_ring", -error);
        io_uring_buf_ring_init(ring_);
        for (unsigned i = 0; i < of.count; ++i) give_back(of.first_id + i);
        publish();
    }

    std::string_view filled(unsigned id, int bytes) const { return {at(id), std::size_t(bytes)}; }

    /// Returns a buffer to the kernel, which may use it after `publish`.
    void give_back(unsigned id) {
        io_uring_buf_ring_add(ring_, at(id), of_.size, std::uint16_t(id), io_uring_buf_ring_mask(of_.count),
                              returned_++);
    }

    void publish() {
        io_uring_buf_ring_advance(ring_, returned_);
        returned_ = 0;
    }

private:
    static void* pages(std::size_t bytes, int flags) {
        void* got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
        if (got == MAP_FAILED) give_up("mmap", errno);
        return got;
    }

    char* at(unsigned id) const { return memory_ + std::size_t(id - of_.first_id) * of_.size; }

    io_uring_buf_ring* ring_;
    char* memory_;
    shape of_;
    int returned_ = 0;
};

}  // namespace limit
