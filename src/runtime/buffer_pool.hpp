// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/memory_budget.hpp"

#include <cstddef>
#include <vector>

namespace apus::runtime {

/// An owned buffer that must be returned to the pool.
/// The buffer has the pool's buffer size, or is larger and was allocated by `operator new`.
struct buffer_lease {
    char* bytes = nullptr;
    std::size_t capacity = 0;
};

/// Receive buffers of one core, all of one size.
/// The free list is LIFO, so that recently used buffers, which are in the CPU cache, are used first.
class buffer_pool {
public:
    static constexpr std::size_t buffer_size = 4096;

    buffer_pool() = default;
    buffer_pool(const buffer_pool&) = delete;
    buffer_pool& operator=(const buffer_pool&) = delete;
    ~buffer_pool();

    /// Counts all allocated buffers, in use or free, in this account from now on.
    void count_in(core_memory&) noexcept;

    /// Returns true if `count` buffers are a small part of the core's memory budget.
    bool affords(std::size_t count) const noexcept {
        return !account_ || count * buffer_size <= account_->allowance() / 32;
    }

    char* take();
    void recycle(char* buffer) noexcept;
    void recycle(buffer_lease) noexcept;  ///< Also accepts empty leases and buffers from `operator new`.

private:
    // Maximum number of buffers in the free list. Further buffers are deleted.
    static constexpr std::size_t kept = 1024;
    char* make();
    void drop(char*) noexcept;

    std::vector<char*> free_;
    std::size_t made_ = 0;
    core_memory* account_ = nullptr;
};

}  // namespace apus::runtime
