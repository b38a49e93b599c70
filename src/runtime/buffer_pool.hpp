// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/memory_budget.hpp"

#include <cstddef>
#include <vector>

namespace apus::runtime {

/// A buffer that somebody has taken over, of this or a larger size, to be given back to the pool.
struct buffer_lease {
    char* bytes = nullptr;
    std::size_t capacity = 0;
};

/// Receive buffers of one core, all of one size. Last given, first taken: what is in the cache is
/// used again, and memory that a burst needed is not touched afterwards.
class buffer_pool {
public:
    static constexpr std::size_t buffer_size = 4096;

    buffer_pool() = default;
    buffer_pool(const buffer_pool&) = delete;
    buffer_pool& operator=(const buffer_pool&) = delete;
    ~buffer_pool();

    /// Buffers that were made and not deleted, given or not, are on this account from now on.
    void count_in(core_memory&) noexcept;

    /// Whether so many buffers are a small part of what the core may hold.
    bool affords(std::size_t count) const noexcept {
        return !account_ || count * buffer_size <= account_->allowance() / 32;
    }

    char* take();
    void give(char* buffer) noexcept;
    void give(buffer_lease) noexcept;  ///< Also an empty one, and one that came from `operator new`.

private:
    // What a burst leaves behind is kept up to this; more goes back to the system.
    static constexpr std::size_t kept = 1024;
    char* make();
    void drop(char*) noexcept;

    std::vector<char*> free_;
    std::size_t made_ = 0;
    core_memory* account_ = nullptr;
};

}  // namespace apus::runtime
