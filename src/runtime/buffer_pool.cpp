// SPDX-License-Identifier: Apache-2.0
#include "runtime/buffer_pool.hpp"

#include <new>

namespace apus::runtime {

buffer_pool::~buffer_pool() {
    for (char* b : free_) ::operator delete(b);
}

char* buffer_pool::take() {
    if (free_.empty()) {
        // So that giving back needs no memory: give() is called where nothing may fail.
        if (free_.capacity() < kept) free_.reserve(kept);
        return static_cast<char*>(::operator new(buffer_size));
    }
    char* b = free_.back();
    free_.pop_back();
    return b;
}

void buffer_pool::give(char* buffer) noexcept {
    if (free_.size() < kept) free_.push_back(buffer);
    else ::operator delete(buffer);
}

void buffer_pool::give(buffer_lease l) noexcept {
    if (l.capacity == buffer_size) give(l.bytes);
    else ::operator delete(l.bytes);
}

}  // namespace apus::runtime
