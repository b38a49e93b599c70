// SPDX-License-Identifier: Apache-2.0
#include "runtime/output_arena.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace apus::runtime {

output_arena::~output_arena() {
    for (auto* list : {&now_, &before_, &free_})
        for (auto& c : *list) ::operator delete(c.bytes);
}

void output_arena::grow(std::size_t size) {
    std::string_view so_far = batch();
    std::size_t need = so_far.size() + size;
    chunk next;
    if (!free_.empty() && need <= chunk_size) {
        next = free_.back();
        free_.pop_back();
    } else {
        next.size = need <= chunk_size ? chunk_size : std::max(need, so_far.size() * 2);
        // Reserved here because recycle() must not fail.
        before_.reserve(now_.size() + 1);
        free_.reserve(kept);
        next.bytes = static_cast<char*>(::operator new(next.size));
    }
    now_.push_back(next);
    if (!so_far.empty()) std::memcpy(next.bytes, so_far.data(), so_far.size());
    batch_ = next.bytes;
    at_ = batch_ + so_far.size();
    end_ = batch_ + next.size;
}

void output_arena::recycle() noexcept {
    release(before_);
    std::swap(now_, before_);
    batch_ = at_ = end_ = nullptr;
}

void output_arena::release(std::vector<chunk>& list) noexcept {
    for (auto& c : list) {
        if (c.size == chunk_size && free_.size() < kept) free_.push_back(c);
        else ::operator delete(c.bytes);
    }
    list.clear();
}

}  // namespace apus::runtime
