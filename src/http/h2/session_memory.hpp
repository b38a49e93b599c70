// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <nghttp2/nghttp2.h>

namespace apus::http::h2 {

/// Where the sessions of one core get their memory. What is small goes to lists of its size when it
/// is given back and is taken from there, in a few instructions. Must outlive the sessions.
class session_memory {
public:
    session_memory() noexcept;
    session_memory(const session_memory&) = delete;
    session_memory& operator=(const session_memory&) = delete;
    ~session_memory();

    nghttp2_mem* calls() noexcept { return &calls_; }
    std::size_t kept() const noexcept { return kept_; }  ///< Bytes in the lists.

    static constexpr std::size_t step = 64;               ///< Sizes are rounded up to a multiple of this.
    static constexpr std::size_t largest = 1024;          ///< Bytes of the largest block that is kept.
    static constexpr std::size_t kept_most = 512 * 1024;  ///< Bytes that are kept at most.

private:
    // Says of which list a block is, in front of it: nghttp2 gives back without a size.
    struct alignas(std::max_align_t) block {
        std::size_t size;
        block* next;
    };

    void* take(std::size_t size) noexcept;
    void* take_again(void* old, std::size_t size) noexcept;
    void give(void*) noexcept;

    nghttp2_mem calls_;
    block* lists_[largest / step] = {};
    std::size_t kept_ = 0;
};

}  // namespace apus::http::h2
