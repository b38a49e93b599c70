// SPDX-License-Identifier: Apache-2.0
#include "runtime/frame_pool.hpp"

#include "support/skipped.hpp"

#include <apus/task.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <thread>
#include <utility>
#include <vector>

using namespace apus;
using detail::frame_allocate;
using detail::frame_free;
using runtime::frames_kept;

namespace {

constexpr const char* not_kept = "frames are not kept with AddressSanitizer";

bool frames_are_kept() {
    frame_free(frame_allocate(64), 64);
    return frames_kept() != 0;
}

// Runs each test on a new thread, which has no cached frames.
template <class F>
void on_new_thread(F f) {
    std::thread(f).join();
}

struct frame {
    void* at;
    std::size_t size;
};

std::vector<frame> allocate_all(const std::vector<std::size_t>& sizes) {
    std::vector<frame> frames;
    for (std::size_t size : sizes) {
        frames.push_back({frame_allocate(size), size});
        std::memset(frames.back().at, 0x5a, size);  // the whole frame must be writable
    }
    return frames;
}

void free_all(const std::vector<frame>& frames) {
    for (auto& f : frames) frame_free(f.at, f.size);
}

}  // namespace

TEST_CASE("the last freed frame of a class is reused first") {
    on_new_thread([] {
        if (!frames_are_kept()) return support::skip(not_kept);
        void* a = frame_allocate(65);
        frame_free(a, 65);
        CHECK(frame_allocate(129) != a);
        CHECK(frame_allocate(128) == a);
        frame_free(a, 128);
    });
}

TEST_CASE("frames of every size are valid and do not overlap") {
    on_new_thread([] {
        std::vector<std::size_t> sizes;
        for (std::size_t size = 1; size <= runtime::frame_largest + 130; size += 13) sizes.push_back(size);
        for (int round = 0; round < 3; ++round) {
            auto frames = allocate_all(sizes);
            for (auto& f : frames) CHECK(static_cast<unsigned char*>(f.at)[f.size - 1] == 0x5a);
            free_all(frames);
        }
    });
}

TEST_CASE("a thread keeps a bounded number of frames, and no large ones") {
    on_new_thread([] {
        if (!frames_are_kept()) return support::skip(not_kept);
        const std::size_t before = frames_kept();
        free_all(allocate_all({runtime::frame_largest + 1}));
        CHECK(frames_kept() == before);
        free_all(allocate_all(std::vector<std::size_t>(1000, 4000)));
        CHECK(frames_kept() <= runtime::frame_kept);
        CHECK(frames_kept() > runtime::frame_kept - runtime::frame_largest);
    });
}

TEST_CASE("kept frames are counted down on reuse") {
    on_new_thread([] {
        if (!frames_are_kept()) return support::skip(not_kept);
        free_all(allocate_all({100, 100, 1000}));
        CHECK(frames_kept() == 64 + 128 + 128 + 1024);
        auto again = allocate_all({100, 1000});
        CHECK(frames_kept() == 64 + 128);
        free_all(again);
    });
}

TEST_CASE("a frame may be freed by another thread, even one that never allocated") {
    auto frames = allocate_all({64, 640, 4096, 5000});
    const std::size_t kept_here = frames_kept();
    on_new_thread([&] {
        free_all(frames);
        CHECK(frames_kept() == (frames_are_kept() ? 64 + 640 + 4096 : 0));
    });
    CHECK(frames_kept() == kept_here);
    on_new_thread([] { free_all(allocate_all({64, 640, 4096, 5000})); });
}

TEST_CASE("a frame may be freed by a thread_local destroyed after the pool") {
    struct late {
        void* held = nullptr;
        std::size_t* kept_after = nullptr;
        ~late() {
            frame_free(held, 64);
            *kept_after = frames_kept();
        }
    };
    std::size_t kept_after = 1;
    on_new_thread([&] {
        thread_local late holder;  // constructed before the pool, so destroyed after it
        holder.held = frame_allocate(64);
        holder.kept_after = &kept_after;
        frame_free(frame_allocate(64), 64);
    });
    CHECK(kept_after == 0);
}

namespace {

task<int> inner() { co_return 1; }
task<int> outer() { co_return co_await inner() + 1; }

}  // namespace

TEST_CASE("the frames of tasks come from the pool") {
    on_new_thread([] {
        if (!frames_are_kept()) return support::skip(not_kept);
        for (int round = 0; round < 2; ++round) {
            auto handle = outer().release();
            handle.resume();
            CHECK(**handle.promise().outcome == 2);
            handle.destroy();
        }
        const std::size_t warm = frames_kept();
        // Released from the task, since an optimizing compiler may omit the frame of a task that stays in a function.
        auto handle = outer().release();
        CHECK(frames_kept() < warm);
        handle.destroy();
        CHECK(frames_kept() == warm);
    });
}
