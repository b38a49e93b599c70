// SPDX-License-Identifier: Apache-2.0
#include "runtime/uring/receive_ring.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <sys/mman.h>

namespace apus::runtime {

int receive_ring::open() {
    void* memory =
        mmap(nullptr, entries * sizeof(io_uring_buf), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return -errno;
    shared_ = static_cast<io_uring_buf_ring*>(memory);
    io_uring_buf_reg reg{};
    reg.ring_addr = reinterpret_cast<std::uintptr_t>(memory);
    reg.ring_entries = entries;
    reg.bgid = group;
    if (int error = io_uring_register_buf_ring(&ring_, &reg, 0)) return error;
    io_uring_buf_ring_init(shared_);
    more();
    publish();
    return 0;
}

receive_ring::~receive_ring() {
    // The backend has closed the io_uring, so the kernel no longer uses the memory.
    if (shared_) munmap(shared_, entries * sizeof(io_uring_buf));
    for (char* b : slots_) pool_.recycle(b);
}

void receive_ring::add(unsigned id) noexcept {
    io_uring_buf_ring_add(shared_, slots_[id], buffer_pool::buffer_size, static_cast<unsigned short>(id),
                          io_uring_buf_ring_mask(entries), static_cast<int>(added_++));
}

void receive_ring::recycle(unsigned id, bool took) {
    if (took) slots_[id] = pool_.take();
    add(id);
}

void receive_ring::more() {
    std::size_t have = slots_.size();
    std::size_t want = std::min<std::size_t>(have ? have * 2 : at_first, entries);
    if (have && !pool_.affords(want)) return;  // over budget: keeps the current number of buffers
    slots_.reserve(want);
    for (; slots_.size() < want; add(static_cast<unsigned>(slots_.size() - 1))) slots_.push_back(pool_.take());
}

void receive_ring::publish() {
    if (std::exchange(ran_out_, false)) more();
    if (!added_) return;
    io_uring_buf_ring_advance(shared_, static_cast<int>(added_));
    added_ = 0;
}

}  // namespace apus::runtime
