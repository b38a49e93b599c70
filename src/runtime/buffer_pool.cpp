// SPDX-License-Identifier: Apache-2.0
#include "runtime/buffer_pool.hpp"

#include <new>

namespace apus::runtime {

buffer_pool::~buffer_pool() {
    for (char* b : free_) ::operator delete(b);
    if (account_) account_->remove(made_ * buffer_size);
}

void buffer_pool::count_in(core_memory& m) noexcept {
    account_ = &m;
    m.add(made_ * buffer_size);
}

char* buffer_pool::make() {
    auto* made = static_cast<char*>(::operator new(buffer_size));
    ++made_;
    if (account_) account_->add(buffer_size);
    return made;
}

void buffer_pool::drop(char* b) noexcept {
    ::operator delete(b);
    --made_;
    if (account_) account_->remove(buffer_size);
}

char* buffer_pool::take() {
    if (free_.empty()) {
        // Reserved here because recycle() must not fail.
        if (free_.capacity() < kept) free_.reserve(kept);
        return make();
    }
    char* b = free_.back();
    free_.pop_back();
    return b;
}

void buffer_pool::recycle(char* buffer) noexcept {
    if (free_.size() < kept) free_.push_back(buffer);
    else drop(buffer);
}

void buffer_pool::recycle(buffer_lease l) noexcept {
    if (l.capacity == buffer_size) recycle(l.bytes);
    else ::operator delete(l.bytes);
}

}  // namespace apus::runtime
