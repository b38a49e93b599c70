// SPDX-License-Identifier: Apache-2.0
#include "runtime/frame_pool.hpp"

#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define APUS_FRAMES_DIRECT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define APUS_FRAMES_DIRECT 1
#endif
#endif

namespace apus {
namespace {

using runtime::frame_kept;
using runtime::frame_largest;
using runtime::frame_step;

#if defined(APUS_FRAMES_DIRECT)
constexpr bool direct = true;
#else
constexpr bool direct = false;
#endif

struct free_frame {
    free_frame* next;
};

struct free_lists {
    free_frame* of_class[frame_largest / frame_step] = {};
    std::size_t bytes = 0;
    std::size_t bound = 0;  // maximum of `bytes`; 0 before the thread frees its first frame, and during thread exit
    bool ended = false;
};

// The type is trivially constructible and destructible, so that an access is an offset from the thread pointer, without
// a guard. `release_at_exit` frees the lists at the end of the thread.
constinit thread_local free_lists lists;

constexpr std::size_t class_of(std::size_t size) { return (size - 1) / frame_step; }
constexpr std::size_t class_bytes(std::size_t size) { return (class_of(size) + 1) * frame_step; }

struct release_at_exit {
    release_at_exit() noexcept { lists.bound = frame_kept; }
    ~release_at_exit() {
        for (std::size_t i = 0; i < frame_largest / frame_step; ++i) {
            while (auto* frame = lists.of_class[i]) {
                lists.of_class[i] = frame->next;
                ::operator delete(frame, (i + 1) * frame_step);
            }
        }
        lists.bytes = 0;
        lists.bound = 0;
        lists.ended = true;
    }
};

// When the thread frees its first frame, enables the lists, and returns true if that frame may be kept.
bool room_after_all(std::size_t bytes) noexcept {
    if (lists.bound != 0 || lists.ended) return false;
    thread_local release_at_exit armed;
    return bytes <= lists.bound;
}

}  // namespace

void* detail::frame_allocate(std::size_t size) {
    if (direct || size > frame_largest) return ::operator new(size);
    auto& list = lists.of_class[class_of(size)];
    if (!list) return ::operator new(class_bytes(size));
    lists.bytes -= class_bytes(size);
    return std::exchange(list, list->next);
}

void detail::frame_free(void* frame, std::size_t size) noexcept {
    if (direct || size > frame_largest) return ::operator delete(frame, size);
    const std::size_t bytes = class_bytes(size);
    if (lists.bytes + bytes > lists.bound && !room_after_all(bytes)) return ::operator delete(frame, bytes);
    auto& list = lists.of_class[class_of(size)];
    list = ::new (frame) free_frame{list};
    lists.bytes += bytes;
}

std::size_t runtime::frames_kept() noexcept { return lists.bytes; }

}  // namespace apus
