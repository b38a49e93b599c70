// SPDX-License-Identifier: Apache-2.0
#include "http/h2/session_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace apus::http::h2 {
namespace {

// What a session of nghttp2 1.52 asks for when it is made: room for the frame that it puts together,
// and a table by which it finds its streams, which is all zeros while there are none.
constexpr std::size_t frame_room = 9 + 1 + 16 * 1024;
constexpr std::size_t page_size = 4096;
constexpr std::size_t slab_size = 64 * page_size;

}  // namespace

session_memory::session_memory(runtime::core_memory* account) noexcept
    : account_(account),
      pages_are_small_(sysconf(_SC_PAGESIZE) == static_cast<long>(page_size)),
      knows_version_(nghttp2_version(0)->version_num >> 8 == 0x0134) {
    static constexpr auto of = [](void* self) { return static_cast<session_memory*>(self); };
    calls_.mem_user_data = this;
    calls_.malloc = [](std::size_t size, void* self) { return of(self)->take(size); };
    calls_.free = [](void* bytes, void* self) { of(self)->give(bytes); };
    calls_.realloc = [](void* bytes, std::size_t size, void* self) { return of(self)->take_again(bytes, size); };
    calls_.calloc = [](std::size_t count, std::size_t size, void* self) -> void* {
        if (size != 0 && count > std::numeric_limits<std::size_t>::max() / size) return nullptr;
        return of(self)->take_zeros(count * size);
    };
}

session_memory::~session_memory() {
    for (block* list : lists_)
        while (list) drop(std::exchange(list, list->next));
    if (frame_) drop(static_cast<block*>(frame_) - 1);
    for (char* slab : slabs_) munmap(slab, slab_size);
    if (account_) account_->remove(slabs_.size() * slab_size);
}

void session_memory::drop(block* b) noexcept {
    if (account_) account_->remove(sizeof(block) + b->size);
    std::free(b);
}

session_memory::new_session session_memory::make(const nghttp2_session_callbacks* callbacks, void* user,
                                                 const nghttp2_option* options) {
    nghttp2_session* session = nullptr;
    making_ = true;
    page_ = nullptr;
    const int failed = nghttp2_session_server_new3(&session, callbacks, user, options, &calls_);
    making_ = false;
    if (failed) throw std::bad_alloc();
    return {session, std::exchange(page_, nullptr)};
}

void session_memory::rest(void* streams) noexcept {
    const char* const from = static_cast<const char*>(streams);
    if (std::all_of(from, from + page_size, [](char c) { return c == 0; })) madvise(streams, page_size, MADV_DONTNEED);
}

void* session_memory::take_page() noexcept {
    if (pages_.empty() && !add_slab()) return nullptr;
    page_ = pages_.back();
    pages_.pop_back();
    return page_;
}

bool session_memory::add_slab() noexcept {
    void* const slab = mmap(nullptr, slab_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slab == MAP_FAILED) return false;
    try {
        slabs_.push_back(static_cast<char*>(slab));
        pages_.reserve(slabs_.size() * slab_size / page_size);  // so that there is room for each that is given back
    } catch (const std::bad_alloc&) {
        std::erase(slabs_, slab);
        munmap(slab, slab_size);
        return false;
    }
    count(slab_size);
    for (std::size_t at = slab_size; at; at -= page_size) pages_.push_back(slabs_.back() + at - page_size);
    return true;
}

void session_memory::give_page(void* page) noexcept {
    constexpr std::size_t warm = 64;  // kept as they are, for the next connections
    if (pages_.size() >= warm) madvise(page, page_size, MADV_DONTNEED);
    pages_.push_back(page);
}

bool session_memory::is_page(const void* bytes) const noexcept {
    if (reinterpret_cast<std::uintptr_t>(bytes) % page_size) return false;
    return std::ranges::any_of(slabs_, [bytes](const char* slab) { return bytes >= slab && bytes < slab + slab_size; });
}

void* session_memory::take_zeros(std::size_t size) noexcept {
    void* made = making_ && pages_are_small_ && size == page_size ? take_page() : take(size);
    if (made) std::memset(made, 0, size);
    return made;
}

// Nothing in a frame is looked at when `nghttp2_session_mem_send` has given it and is called again,
// and what is said in a second frame of a head has other memory: one room does for all sessions.
void* session_memory::take_frame() noexcept {
    if (!frame_) frame_ = take_new(frame_room);
    return frame_;
}

void* session_memory::take(std::size_t size) noexcept {
    if (making_ && knows_version_ && size == frame_room) return take_frame();
    size = (std::max<std::size_t>(size, 1) + step - 1) / step * step;
    if (size > largest || !lists_[size / step - 1]) return take_new(size);
    block*& list = lists_[size / step - 1];
    kept_ -= size;
    return std::exchange(list, list->next) + 1;
}

void* session_memory::take_new(std::size_t size) noexcept {
    auto* made = static_cast<block*>(std::malloc(sizeof(block) + size));
    if (!made) return nullptr;
    made->size = size;
    count(sizeof(block) + size);
    return made + 1;
}

void session_memory::give(void* bytes) noexcept {
    if (!bytes || bytes == frame_) return;
    if (is_page(bytes)) return give_page(bytes);
    block* old = static_cast<block*>(bytes) - 1;
    if (old->size > largest || kept_ + old->size > kept_most) return drop(old);
    old->next = std::exchange(lists_[old->size / step - 1], old);
    kept_ += old->size;
}

void* session_memory::take_again(void* old, std::size_t size) noexcept {
    if (!old) return take(size);
    const std::size_t before = is_page(old) ? page_size : (static_cast<block*>(old) - 1)->size;
    if (size <= before) return old;
    void* made = take(size);
    if (!made) return nullptr;
    std::memcpy(made, old, before);
    give(old);
    return made;
}

}  // namespace apus::http::h2
