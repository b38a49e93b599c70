// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace apus::codec::json {

/// Copies bytes and returns the end. Optimized for short texts.
inline char* copy_short(char* to, std::string_view bytes) noexcept {
    const char* from = bytes.data();
    const std::size_t size = bytes.size();
    // Copies two overlapping blocks, without a call or a loop.
    const auto copy = [&](std::size_t block) {
        std::memcpy(to, from, block);
        std::memcpy(to + size - block, from + size - block, block);
    };
    if (size > 32 || size < 4) std::memcpy(to, from, size);
    else if (size > 16) copy(16);
    else if (size >= 8) copy(8);
    else copy(4);
    return to + size;
}

/// Buffered output to memory of the caller or to a string.
/// If the output does not fit into `first`, it moves to the string, which grows by a factor of four.
class output {
public:
    output(std::span<char> first, std::string& to) noexcept
        : to_(&to), first_(first.data()), begin_(first_), at_(first_), end_(first_ + first.size()) {}
    /// Writes to the memory of `to`, and replaces its contents.
    explicit output(std::string& to) : to_(&to) {
        to.resize_and_overwrite(to.capacity(), [](char*, std::size_t all) { return all; });
        begin_ = at_ = to.data();
        end_ = begin_ + to.size();
    }
    output(const output&) = delete;
    output& operator=(const output&) = delete;

    /// Returns space for `size` bytes. Call `advance` with the end of the bytes written.
    char* room(std::size_t size) {
        if (static_cast<std::size_t>(end_ - at_) < size) [[unlikely]]
            grow(size);
        return at_;
    }
    void advance(char* to) noexcept { at_ = to; }

    void put(char c) { *room(1) = c, ++at_; }
    void put(std::string_view bytes) { at_ = copy_short(room(bytes.size()), bytes); }
    /// Appends a text as a JSON string, with quotes and escapes.
    void put_text(std::string_view text);

    /// Returns the whole output. The result refers to `first` or to the string.
    std::string_view finish() {
        const auto size = static_cast<std::size_t>(at_ - begin_);
        if (begin_ != first_) to_->resize(size);
        return {begin_, size};
    }

private:
    void grow(std::size_t more);

    std::string* to_;
    char* first_ = nullptr;
    char* begin_;
    char* at_;
    char* end_;
};

}  // namespace apus::codec::json
