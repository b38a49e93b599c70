// SPDX-License-Identifier: Apache-2.0
#include "profiling/heap.hpp"

#include "profiling/symbols.hpp"

#include <apus/heap_profile.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

using namespace apus;
using profiling::heap_site;

namespace {

[[gnu::noinline]] void* allocate_for_test(std::size_t size, std::size_t alignment) {
    void* const made = detail::profiled_new(size, alignment);
    asm volatile("" : : "r"(made) : "memory");  // no tail call
    return made;
}

heap_site total_of_test() {
    heap_site sum;
    profiling::symbols names;
    const auto sites = profiling::heap_sites();
    for (const auto& s : sites.value_or(std::vector<heap_site>())) {
        const bool ours = std::ranges::any_of(
            s.stack, [&](auto at) { return profiling::demangled(names.name_of(at)).contains("allocate_for_test"); });
        if (!ours) continue;
        sum.allocated += s.allocated;
        sum.allocated_bytes += s.allocated_bytes;
        sum.live += s.live;
        sum.live_bytes += s.live_bytes;
    }
    return sum;
}

}  // namespace

TEST_CASE("allocations are sampled until they are deleted") {
    constexpr std::size_t size = 64 * 1024, count = 2000;  // 131 MB: 250 samples
    std::vector<void*> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(allocate_for_test(size, i % 2 ? 64 : 0));
    const heap_site full = total_of_test();
    CHECK(full.live_bytes > 70'000'000);
    CHECK(full.live_bytes < 200'000'000);
    CHECK(full.live > 1000);
    CHECK(full.live < 3200);
    CHECK(full.allocated == full.live);
    for (void* memory : all) detail::profiled_delete(memory);
    const heap_site empty = total_of_test();
    CHECK(empty.live == 0);
    CHECK(empty.live_bytes == 0);
    CHECK(empty.allocated == full.allocated);
}

TEST_CASE("memory is aligned, and deleting null has no effect") {
    for (const std::size_t alignment : {1UL, 8UL, 64UL, 4096UL}) {
        void* const memory = detail::profiled_new(10, alignment);
        CHECK(reinterpret_cast<std::uintptr_t>(memory) % alignment == 0);
        detail::profiled_delete(memory);
    }
    detail::profiled_delete(nullptr);
    void* const nothing = detail::profiled_new(0, 0);
    CHECK(nothing != nullptr);
    detail::profiled_delete(nothing);
}
