// SPDX-License-Identifier: Apache-2.0
#include "http/h1/input_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace apus::http::h1 {

input_buffer::input_buffer(runtime::buffer_pool& pool, runtime::buffer_lease buffer, std::size_t begin,
                           std::size_t end) noexcept
    : pool_(pool), buffer_(buffer), begin_(begin), end_(end) {}

void input_buffer::take(std::size_t capacity) {
    if (capacity <= pooled) buffer_ = {pool_.take(), pooled};
    else buffer_ = {static_cast<char*>(::operator new(capacity)), capacity};
}

input_buffer::~input_buffer() {
    pool_.recycle(buffer_);
    for (char* b : later_) pool_.recycle(b);
}

void input_buffer::append(std::string_view bytes) {
    if (!has_more() && bytes.size() <= buffer_.capacity - end_) {
        std::memcpy(buffer_.bytes + end_, bytes.data(), bytes.size());
        end_ += bytes.size();
        return;
    }
    while (!bytes.empty()) {
        const std::size_t at = (later_begin_ + later_size_) % pooled;
        if (at == 0) later_.push_back(pool_.take());
        const std::size_t size = bytes.copy(later_.back() + at, pooled - at);
        later_size_ += size;
        bytes.remove_prefix(size);
    }
    if (!pinned_) gather();
}

void input_buffer::copy_queued(char* to, std::size_t size) noexcept {
    later_size_ -= size;
    while (size != 0) {
        const std::size_t piece = std::min(size, pooled - later_begin_);
        std::memcpy(to, later_.front() + later_begin_, piece);
        to += piece;
        size -= piece;
        later_begin_ = (later_begin_ + piece) % pooled;
        if (later_begin_ != 0 && later_size_ + size != 0) continue;
        pool_.recycle(later_.front());
        later_.erase(later_.begin());  // at most a few dozen elements
        if (later_size_ + size == 0) later_begin_ = 0;
    }
}

void input_buffer::gather() {
    const std::string_view rest = unread();
    if (!has_more() || rest.size() >= together) return;
    const std::size_t more = std::min(later_size_, together - rest.size());
    const std::size_t all = rest.size() + more;
    const runtime::buffer_lease old = buffer_;
    if (all <= buffer_.capacity) {
        std::memmove(buffer_.bytes, rest.data(), rest.size());
    } else {
        // Reserves additional space. Otherwise, bytes that arrive one by one would each cause a copy of the buffer.
        constexpr std::size_t max_spare = 32 * 1024;
        take(all + std::min(all, max_spare));
        std::memcpy(buffer_.bytes, rest.data(), rest.size());
        pool_.recycle(old);
    }
    copy_queued(buffer_.bytes + rest.size(), more);
    begin_ = 0;
    end_ = all;
}

runtime::buffer_lease input_buffer::detach() {
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
