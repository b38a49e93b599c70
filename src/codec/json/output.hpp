// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace apus::codec::json {

/// Copies bytes, of which there are mostly few, and gives where they end.
inline char* copy_short(char* to, std::string_view bytes) noexcept {
    const char* from = bytes.data();
    const std::size_t size = bytes.size();
    // Two blocks that overlap: no call, and no loop.
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

/// Bytes on their way into a string. What is short is put together on the stack, so that the string
/// then gets exactly the memory it needs; what is long goes into the string, which doubles.
class output {
public:
    explicit output(std::string& to) noexcept : to_(&to) {}
    output(const output&) = delete;
    output& operator=(const output&) = delete;

    /// Room for so many bytes, of which `advance` then says how many there are.
    char* room(std::size_t size) {
        if (static_cast<std::size_t>(end_ - at_) < size) [[unlikely]]
            grow(size);
        return at_;
    }
    void advance(char* to) noexcept { at_ = to; }

    void put(char c) { *room(1) = c, ++at_; }
    void put(std::string_view bytes) { at_ = copy_short(room(bytes.size()), bytes); }
    /// A text as a string of JSON: in quotes, with escapes.
    void put_text(std::string_view text);

    /// The string holds all of it now.
    void finish() {
        if (begin_ == short_) to_->assign(short_, static_cast<std::size_t>(at_ - begin_));
        else to_->resize(static_cast<std::size_t>(at_ - begin_));
    }

private:
    void grow(std::size_t more);

    static constexpr std::size_t short_size = 4096;
    std::string* to_;
    char short_[short_size];
    char* begin_ = short_;
    char* at_ = short_;
    char* end_ = short_ + short_size;
};

}  // namespace apus::codec::json
