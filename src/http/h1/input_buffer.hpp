// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/buffer_pool.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace apus::http::h1 {

/// Received bytes that cannot be processed yet.
/// These are a partial head, pipelined requests, or a body that the handler does not read. Most connections have no
/// such bytes.
class input_buffer {
public:
    /// Takes ownership of `buffer`, whose bytes from `begin` to `end` are unread.
    input_buffer(runtime::buffer_pool& pool, runtime::buffer_lease buffer, std::size_t begin, std::size_t end) noexcept;
    input_buffer(const input_buffer&) = delete;
    input_buffer& operator=(const input_buffer&) = delete;
    ~input_buffer();

    /// Returns the first contiguous part of the unread bytes. `gather` may extend this part.
    std::string_view unread() const noexcept { return {buffer_.bytes + begin_, end_ - begin_}; }
    char* data() noexcept { return buffer_.bytes + begin_; }
    void use(std::size_t n) noexcept { begin_ += n; }
    void append(std::string_view bytes);

    /// While pinned, the bytes of `unread` are not moved, so views of them stay valid.
    void pin(bool on) noexcept { pinned_ = on; }
    bool pinned() const noexcept { return pinned_; }

    /// Makes the first `together` unread bytes contiguous, or all if there are fewer.
    /// Must not be called while pinned.
    void gather();

    /// Maximum bytes that the parsers need at once: a head, or the end of a body with its trailer
    /// section.
    static constexpr std::size_t together = 72 * 1024;

    std::size_t size() const noexcept { return end_ - begin_ + later_size_; }
    bool has_more() const noexcept { return later_size_ != 0; }  ///< True if `unread` does not include all bytes.

    /// Returns the bytes of memory, without buffers of the pool.
    std::size_t memory() const noexcept {
        return (buffer_.capacity > pooled ? buffer_.capacity : 0) + later_.capacity();
    }

    /// Transfers the buffer to the caller, whose views refer to its consumed bytes.
    /// Moves unread bytes to another buffer.
    runtime::buffer_lease detach();

private:
    static constexpr std::size_t pooled = runtime::buffer_pool::buffer_size;

    void take(std::size_t capacity);
    void copy_queued(char* to, std::size_t size) noexcept;

    runtime::buffer_pool& pool_;
    runtime::buffer_lease buffer_;
    std::size_t begin_;
    std::size_t end_;
    bool pinned_ = false;
    // Input that arrives when `buffer_` is full, in pool buffers, so that memory grows with the bytes received.
    std::vector<char*> later_;
    std::size_t later_begin_ = 0;  // position in `later_.front()`
    std::size_t later_size_ = 0;
};

}  // namespace apus::http::h1
