// SPDX-License-Identifier: Apache-2.0
#include "server/log_ring.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <sys/uio.h>

namespace apus::server {

log_ring::log_ring(std::size_t bytes, std::string thread) : size_(bytes), thread_(std::move(thread)) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bytes_ = memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

log_ring::~log_ring() {
    if (bytes_) munmap(bytes_, size_);
}

bool log_ring::push(std::string_view line) noexcept {
    const std::uint64_t at = written_.load(std::memory_order_relaxed);
    const std::uint64_t used = at - taken_.load(std::memory_order_acquire);
    if (!bytes_ || line.size() > size_ - used) {
        drops_.fetch_add(1, std::memory_order_relaxed);
        return false;
    }
    const std::size_t begin = at & (size_ - 1);
    const std::size_t to_end = std::min(line.size(), size_ - begin);
    std::memcpy(bytes_ + begin, line.data(), to_end);
    std::memcpy(bytes_, line.data() + to_end, line.size() - to_end);
    // A release store would not suffice. The producer stores this counter and then checks whether the writer sleeps.
    // The writer stores that it sleeps and then checks this counter. Sequential consistency guarantees that at least
    // one of the two sees the store of the other.
    written_.store(at + line.size(), std::memory_order_seq_cst);
    return true;
}

bool log_ring::more_than_half_full() const noexcept {
    return written_.load(std::memory_order_relaxed) - taken_.load(std::memory_order_relaxed) > size_ / 2;
}

int log_ring::waiting(iovec pieces[2]) const noexcept {
    const std::uint64_t from = taken_.load(std::memory_order_relaxed);
    const std::uint64_t bytes = written_.load(std::memory_order_acquire) - from;
    if (bytes == 0) return 0;
    const std::size_t begin = from & (size_ - 1);
    const std::size_t to_end = std::min<std::size_t>(bytes, size_ - begin);
    pieces[0] = {bytes_ + begin, to_end};
    if (to_end == bytes) return 1;
    pieces[1] = {bytes_, bytes - to_end};
    return 2;
}

void log_ring::take(std::size_t bytes) noexcept {
    taken_.store(taken_.load(std::memory_order_relaxed) + bytes, std::memory_order_release);
}

bool log_ring::empty() const noexcept {
    return written_.load(std::memory_order_seq_cst) == taken_.load(std::memory_order_relaxed);
}

}  // namespace apus::server
