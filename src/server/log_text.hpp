// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace apus::server {

/// Text with a maximum size. Text that does not fit is dropped, and `overflowed` is set.
class bounded_text {
public:
    bounded_text(char* begin, std::size_t room) noexcept : begin_(begin), at_(begin), end_(begin + room) {}

    void put(char c) noexcept {
        if (at_ == end_) overflowed_ = true;
        else *at_++ = c;
    }
    void put(std::string_view bytes) noexcept {
        if (bytes.size() > static_cast<std::size_t>(end_ - at_)) {
            overflowed_ = true;
            return;
        }
        std::memcpy(at_, bytes.data(), bytes.size());
        at_ += bytes.size();
    }

    std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
    bool overflowed() const noexcept { return overflowed_; }

    /// Truncates to the first `size` bytes and clears `overflowed`.
    void truncate(std::size_t size) noexcept {
        at_ = begin_ + size;
        overflowed_ = false;
    }
    void extend(std::size_t bytes) noexcept { end_ += bytes; }

private:
    char* begin_;
    char* at_;
    char* end_;
    bool overflowed_ = false;
};

/// Writes the time as in RFC 3339, in UTC, to the millisecond. Times before 1970 are shown as 1970.
void put_time(bounded_text& out, std::int64_t unix_milliseconds);

/// Writes text in double quotes, escaped so that JSON and logfmt parsers accept it.
void put_quoted(bounded_text& out, std::string_view text) noexcept;

/// Whether logfmt needs no quotes: only printable ASCII without space, `=`, `"` and backslash.
bool is_bare(std::string_view text) noexcept;

}  // namespace apus::server
