// SPDX-License-Identifier: Apache-2.0
#include "http/h1/held_input.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace apus::http::h1 {

held_input::held_input(runtime::buffer_pool& pool, char* buffer, std::size_t begin, std::size_t end) noexcept
    : pool_(pool), buffer_(buffer), begin_(begin), end_(end) {}

void held_input::give_back(runtime::buffer_pool& pool, lease l) noexcept {
    if (l.capacity == pooled) pool.give(l.buffer);
    else ::operator delete(l.buffer);
}

void held_input::take(std::size_t capacity) {
    buffer_ = capacity <= pooled ? pool_.take() : static_cast<char*>(::operator new(capacity));
    capacity_ = std::max(capacity, pooled);
}

void held_input::append(std::string_view bytes) {
    if (later_.empty() && bytes.size() <= capacity_ - end_) {
        std::memcpy(buffer_ + end_, bytes.data(), bytes.size());
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
    lease old{buffer_, capacity_};
    if (all <= capacity_) {
        std::memmove(buffer_, rest.data(), rest.size());
    } else {
        take(all * 2);  // so that bytes that come one by one are not copied each time
        std::memcpy(buffer_, rest.data(), rest.size());
        give_back(pool_, old);
    }
    std::memcpy(buffer_ + rest.size(), later_.data(), later_.size());
    begin_ = 0;
    end_ = all;
    std::string().swap(later_);
}

held_input::lease held_input::detach() {
    std::string_view rest = unread();
    lease old{buffer_, capacity_};
    take(rest.size());
    std::memcpy(buffer_, rest.data(), rest.size());
    begin_ = 0;
    end_ = rest.size();
    pinned_ = false;
    gather();
    return old;
}

}  // namespace apus::http::h1
