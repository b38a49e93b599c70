// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace apus::http::h2 {

/// Queue of frames to send. It has the write functions of `runtime::output_arena`.
class frame_buffer {
public:
    /// Returns room for `size` bytes at the end, valid until the next call.
    char* room(std::size_t size) {
        if (capacity_ - size_ < size) grow(size);
        return bytes_.get() + size_;
    }
    void wrote(char* to) noexcept { size_ = static_cast<std::uint32_t>(to - bytes_.get()); }

    std::string_view bytes() const noexcept { return {bytes_.get(), size_}; }
    std::size_t size() const noexcept { return size_; }
    std::size_t capacity() const noexcept { return capacity_; }
    bool empty() const noexcept { return size_ == 0; }

    /// Removes the first `n` bytes.
    void consume(std::size_t n) noexcept {
        size_ -= static_cast<std::uint32_t>(n);
        if (size_) std::memmove(bytes_.get(), bytes_.get() + n, size_);
    }
    void release() noexcept { *this = {}; }
    void swap(frame_buffer& other) noexcept {
        bytes_.swap(other.bytes_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    void grow(std::size_t more) {
        constexpr std::size_t least = 256;
        const std::size_t wanted = std::max({least, capacity_ * std::size_t{2}, size_ + more});
        auto grown = std::make_unique_for_overwrite<char[]>(wanted);
        if (size_) std::memcpy(grown.get(), bytes_.get(), size_);
        bytes_ = std::move(grown);
        capacity_ = static_cast<std::uint32_t>(wanted);
    }

    std::unique_ptr<char[]> bytes_;
    std::uint32_t size_ = 0, capacity_ = 0;
};

}  // namespace apus::http::h2
