// SPDX-License-Identifier: Apache-2.0
#include "http/h2/session_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

namespace apus::http::h2 {

session_memory::session_memory() noexcept {
    static constexpr auto of = [](void* self) { return static_cast<session_memory*>(self); };
    calls_.mem_user_data = this;
    calls_.malloc = [](std::size_t size, void* self) { return of(self)->take(size); };
    calls_.free = [](void* bytes, void* self) { of(self)->give(bytes); };
    calls_.realloc = [](void* bytes, std::size_t size, void* self) { return of(self)->take_again(bytes, size); };
    calls_.calloc = [](std::size_t count, std::size_t size, void* self) -> void* {
        if (size != 0 && count > std::numeric_limits<std::size_t>::max() / size) return nullptr;
        void* made = of(self)->take(count * size);
        if (made) std::memset(made, 0, count * size);
        return made;
    };
}

session_memory::~session_memory() {
    for (block* list : lists_)
        while (list) std::free(std::exchange(list, list->next));
}

void* session_memory::take(std::size_t size) noexcept {
    size = (std::max<std::size_t>(size, 1) + step - 1) / step * step;
    block* made;
    if (size <= largest && lists_[size / step - 1]) {
        block*& list = lists_[size / step - 1];
        made = std::exchange(list, list->next);
        kept_ -= size;
    } else {
        made = static_cast<block*>(std::malloc(sizeof(block) + size));
        if (!made) return nullptr;
        made->size = size;
    }
    return made + 1;
}

void session_memory::give(void* bytes) noexcept {
    if (!bytes) return;
    block* old = static_cast<block*>(bytes) - 1;
    if (old->size > largest || kept_ + old->size > kept_most) return std::free(old);
    old->next = std::exchange(lists_[old->size / step - 1], old);
    kept_ += old->size;
}

void* session_memory::take_again(void* old, std::size_t size) noexcept {
    if (!old) return take(size);
    const std::size_t before = (static_cast<block*>(old) - 1)->size;
    if (size <= before) return old;
    void* made = take(size);
    if (!made) return nullptr;
    std::memcpy(made, old, before);
    give(old);
    return made;
}

}  // namespace apus::http::h2
