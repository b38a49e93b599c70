// SPDX-License-Identifier: Apache-2.0
#include "http/h1/held_input.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace apus::http::h1 {

held_input::held_input(runtime::buffer_pool& pool, runtime::buffer_lease buffer, std::size_t begin, std::size_t end) noexcept
    : pool_(pool), buffer_(buffer), begin_(begin), end_(end) {}

void held_input::take(std::size_t capacity) {
    if (capacity <= pooled) buffer_ = {pool_.take(), pooled};
    else buffer_ = {static_cast<char*>(::operator new(capacity)), capacity};
}

void held_input::append(std::string_view bytes) {
    if (later_.empty() && bytes.size() <= buffer_.capacity - end_) {
        std::memcpy(buffer_.bytes + end_, bytes.data(), bytes.size());
        end_ += bytes.size();
    } else {
        later_.append(bytes);
        if (!pinned_) gather();
    }
}

void held_input::gather() {
    if (later_.empty()) return;
    std::string_view rest = unread();
    std::size_t all = rest.size() + later_.size();
    const runtime::buffer_lease old = buffer_;
    if (all <= buffer_.capacity) {
        std::memmove(buffer_.bytes, rest.data(), rest.size());
    } else {
        take(all * 2);  // so that bytes that come one by one are not copied each time
        std::memcpy(buffer_.bytes, rest.data(), rest.size());
        pool_.give(old);
    }
    std::memcpy(buffer_.bytes + rest.size(), later_.data(), later_.size());
    begin_ = 0;
    end_ = all;
    std::string().swap(later_);
}

runtime::buffer_lease held_input::detach() {
    std::string_view rest = unread();
    const runtime::buffer_lease old = buffer_;
    take(rest.size());
    std::memcpy(buffer_.bytes, rest.data(), rest.size());
    begin_ = 0;
    end_ = rest.size();
    pinned_ = false;
    gather();
    return old;
}

}  // namespace apus::http::h1
