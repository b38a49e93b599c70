// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/buffer_pool.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace apus::http::h1 {

/// Bytes of one connection that have arrived and not been used: the beginning of a head, a request
/// behind one that is still running, a body that nobody reads. Most connections have none.
class held_input {
public:
    /// Takes over `buffer`, whose bytes from `begin` to `end` are unread.
    held_input(runtime::buffer_pool& pool, runtime::buffer_lease buffer, std::size_t begin, std::size_t end) noexcept;
    held_input(const held_input&) = delete;
    held_input& operator=(const held_input&) = delete;
    ~held_input();

    /// Those unread bytes that lie together. `gather` may add to them.
    std::string_view unread() const noexcept { return {buffer_.bytes + begin_, end_ - begin_}; }
    char* data() noexcept { return buffer_.bytes + begin_; }
    void use(std::size_t n) noexcept { begin_ += n; }
    void append(std::string_view bytes);

    /// While pinned, bytes already given out stay where they are.
    void pin(bool on) noexcept { pinned_ = on; }
    bool pinned() const noexcept { return pinned_; }

    /// Puts unread bytes together: all, or at least `together`. Not while pinned.
    void gather();

    /// As many as a head or the end of a body may have.
    static constexpr std::size_t together = 72 * 1024;

    std::size_t size() const noexcept { return end_ - begin_ + later_size_; }
    bool has_more() const noexcept { return later_size_ != 0; }  ///< Bytes that `unread` is without.

    /// Bytes of memory, but for a buffer of the pool.
    std::size_t memory() const noexcept {
        return (buffer_.capacity > pooled ? buffer_.capacity : 0) + later_.capacity();
    }

    /// Gives up the buffer, with what was used of it, to somebody whose views point there; what is
    /// unread moves to another.
    runtime::buffer_lease detach();

private:
    static constexpr std::size_t pooled = runtime::buffer_pool::buffer_size;

    void take(std::size_t capacity);
    void take_later(char* to, std::size_t size) noexcept;

    runtime::buffer_pool& pool_;
    runtime::buffer_lease buffer_;
    std::size_t begin_;
    std::size_t end_;
    bool pinned_ = false;
    // What arrived while the buffer was full, in buffers of the pool: as much memory as there are bytes.
    std::vector<char*> later_;
    std::size_t later_begin_ = 0;  // in the first of them
    std::size_t later_size_ = 0;
};

}  // namespace apus::http::h1
