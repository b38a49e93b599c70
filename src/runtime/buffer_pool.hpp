// SPDX-License-Identifier: Apache-2.0
#pragma once

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

    char* take();
    void give(char* buffer) noexcept;
    void give(buffer_lease) noexcept;  ///< Also an empty one, and one that came from `operator new`.

private:
    // What a burst leaves behind is kept up to this; more goes back to the system.
    static constexpr std::size_t kept = 1024;
    std::vector<char*> free_;
};

}  // namespace apus::runtime
