// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/buffer_pool.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace apus::http::h1 {

/// Bytes of one connection that have arrived and not been used: the beginning of a head, a request
/// behind one that is still running, a body that nobody reads. Most connections have none.
class held_input {
public:
    /// Takes over `buffer`, whose bytes from `begin` to `end` are unread.
    held_input(runtime::buffer_pool& pool, runtime::buffer_lease buffer, std::size_t begin, std::size_t end) noexcept;
    held_input(const held_input&) = delete;
    held_input& operator=(const held_input&) = delete;
    ~held_input() { pool_.give(buffer_); }

    /// Those unread bytes that lie together. `gather` may add to them.
    std::string_view unread() const noexcept { return {buffer_.bytes + begin_, end_ - begin_}; }
    char* data() noexcept { return buffer_.bytes + begin_; }
    void use(std::size_t n) noexcept { begin_ += n; }
    void append(std::string_view bytes);

    /// While pinned, bytes already given out stay where they are.
    void pin(bool on) noexcept { pinned_ = on; }
    bool pinned() const noexcept { return pinned_; }

    /// Puts all unread bytes together. Not while pinned.
    void gather();

    std::size_t size() const noexcept { return end_ - begin_ + later_.size(); }

    /// Gives up the buffer, with what was used of it, to somebody whose views point there; what is
    /// unread moves to another.
    runtime::buffer_lease detach();

private:
    static constexpr std::size_t pooled = runtime::buffer_pool::buffer_size;

    void take(std::size_t capacity);

    runtime::buffer_pool& pool_;
    runtime::buffer_lease buffer_;
    std::size_t begin_;
    std::size_t end_;
    bool pinned_ = false;
    std::string later_;  // arrived while the buffer was pinned and full
};

}  // namespace apus::http::h1
