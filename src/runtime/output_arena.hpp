// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace apus::runtime {

/// Where the responses of one turn of the loop are written, one batch after the other, each
/// contiguous. A batch stays valid until `recycle` has been called twice: once when the turn's
/// sends are submitted, and once more when the kernel is known to have copied them.
class output_arena {
public:
    output_arena() = default;
    output_arena(const output_arena&) = delete;
    output_arena& operator=(const output_arena&) = delete;
    ~output_arena();

    /// Begins a batch. The one before it is finished.
    void begin() noexcept { batch_ = at_; }

    /// Room for `size` more bytes of the batch. May move the batch.
    char* room(std::size_t size) {
        if (static_cast<std::size_t>(end_ - at_) < size) grow(size);
        return at_;
    }
    void wrote(char* to) noexcept { at_ = to; }  ///< The batch now ends at `to`, inside the room given.

    std::string_view batch() const noexcept { return {batch_, static_cast<std::size_t>(at_ - batch_)}; }

    /// Ends a turn.
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
    std::vector<chunk> now_;     // of this turn; the last is being written to
    std::vector<chunk> before_;  // of the turn before: the kernel may still read them
    std::vector<chunk> free_;
};

}  // namespace apus::runtime
