// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace apus::codec::json {

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
    void put(std::string_view bytes) {
        std::memcpy(room(bytes.size()), bytes.data(), bytes.size());
        at_ += bytes.size();
    }
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
