// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/memory_budget.hpp"

#include <cstddef>
#include <vector>

#include <nghttp2/nghttp2.h>

namespace apus::http::h2 {

/// Where the sessions of one core get their memory. What is small goes to lists of its size when it
/// is given back and is taken from there, in a few instructions. Must outlive the sessions.
class session_memory {
public:
    explicit session_memory(runtime::core_memory* account = nullptr) noexcept;  ///< Null: not counted.
    session_memory(const session_memory&) = delete;
    session_memory& operator=(const session_memory&) = delete;
    ~session_memory();

    /// A session of a server, and the page in which it finds its streams; or null, where that is
    /// not known to be one page.
    struct new_session {
        nghttp2_session* session;
        void* streams;
    };
    new_session make(const nghttp2_session_callbacks*, void* user, const nghttp2_option*);

    /// The session of this page has no stream for now: the system may have the page back, until
    /// something is written to it. Nothing happens if there is something in it.
    static void rest(void* streams) noexcept;

    nghttp2_mem* calls() noexcept { return &calls_; }
    std::size_t kept() const noexcept { return kept_; }  ///< Bytes in the lists.

    static constexpr std::size_t step = 16;               ///< Sizes are rounded up to a multiple of this.
    static constexpr std::size_t largest = 1024;          ///< Bytes of the largest block that is kept.
    static constexpr std::size_t kept_most = 512 * 1024;  ///< Bytes that are kept at most.

private:
    // Says of which list a block is, in front of it: nghttp2 gives back without a size.
    struct alignas(std::max_align_t) block {
        std::size_t size;
        block* next;
    };

    void count(std::size_t bytes) noexcept {
        if (account_) account_->add(bytes);
    }
    void drop(block*) noexcept;
    void* take(std::size_t size) noexcept;
    void* take_new(std::size_t size) noexcept;
    void* take_frame() noexcept;
    void* take_zeros(std::size_t size) noexcept;
    void* take_again(void* old, std::size_t size) noexcept;
    void give(void*) noexcept;
    void* take_page() noexcept;
    bool add_slab() noexcept;
    void give_page(void*) noexcept;
    bool is_page(const void*) const noexcept;

    runtime::core_memory* const account_;
    nghttp2_mem calls_;
    block* lists_[largest / step] = {};
    std::size_t kept_ = 0;
    const bool pages_are_small_;  // so that one holds a table and no more
    const bool knows_version_;    // of nghttp2, whose ways with frames were read
    bool making_ = false;         // a session, whose parts are known by their sizes
    void* frame_ = nullptr;       // in which all sessions put their frames together
    std::vector<char*> slabs_;    // of pages
    std::vector<void*> pages_;    // of them, that are free
    void* page_ = nullptr;        // the last one taken
};

}  // namespace apus::http::h2
