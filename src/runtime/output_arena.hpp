// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace apus::runtime {

/// Output memory for the responses of one turn, written in contiguous batches.
/// A batch is valid until `recycle` has been called twice: at the end of its turn, when the sends are submitted, and at
/// the end of the next turn, when the kernel has copied the bytes.
class output_arena {
public:
    output_arena() = default;
    output_arena(const output_arena&) = delete;
    output_arena& operator=(const output_arena&) = delete;
    ~output_arena();

    /// Begins a new batch; the previous one is complete.
    void begin() noexcept { batch_ = at_; }

    /// Returns room for `size` more bytes of the batch. May move the batch.
    char* room(std::size_t size) {
        if (left() < size) grow(size);
        return at_;
    }
    /// Returns the bytes that fit without moving the batch.
    std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
    void wrote(char* to) noexcept { at_ = to; }  ///< Sets the end of the batch, within the room.

    std::string_view batch() const noexcept { return {batch_, static_cast<std::size_t>(at_ - batch_)}; }

    /// Call it at the end of a turn.
    void recycle() noexcept;

private:
    struct chunk {
        char* bytes;
        std::size_t size;
    };
    static constexpr std::size_t chunk_size = 64 * 1024;
    static constexpr std::size_t kept = 4;

    void grow(std::size_t size);
    void release(std::vector<chunk>&) noexcept;

    char* batch_ = nullptr;
    char* at_ = nullptr;
    char* end_ = nullptr;
    std::vector<chunk> now_;     // of this turn; the last chunk contains the current batch
    std::vector<chunk> before_;  // of the previous turn: the kernel may still read them
    std::vector<chunk> free_;
};

}  // namespace apus::runtime
