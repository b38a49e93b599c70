// SPDX-License-Identifier: Apache-2.0
#include "profiling/heap.hpp"

#include "profiling/stack.hpp"

#include <apus/heap_profile.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

namespace apus::profiling {
namespace {

constexpr std::size_t max_site_frames = 48;
constexpr std::size_t max_sites = 10'000, max_samples = 200'000;  // about 20 MB

// The sampled memory. Never destroyed: memory is deleted until the process ends.
struct sampled_heap {
    struct sample {
        heap_site* site;
        std::int64_t count, bytes;
    };
    std::mutex mutex;
    std::map<std::vector<std::uintptr_t>, heap_site> sites;
    std::unordered_map<void*, sample> samples;
    // Number of sampled addresses by hash. Most deleted memory has 0 here, and needs no lock.
    std::array<std::atomic<std::uint16_t>, 65'536> present{};
};

std::atomic<bool> in_use = false;
constinit thread_local std::int64_t until_sample = 0;  // bytes; 0: the thread has not allocated yet
constinit thread_local bool sampling = false;          // allocations of the sampler itself are not sampled
constinit thread_local std::uint64_t random_state = 0;

sampled_heap& heap() {
    alignas(sampled_heap) static std::byte memory[sizeof(sampled_heap)];
    static auto* const made = new (memory) sampled_heap;
    return *made;
}

std::atomic<std::uint16_t>& present(const void* memory) {
    const auto hash = (reinterpret_cast<std::uintptr_t>(memory) >> 4U) * 0x9e3779b97f4a7c15ULL;
    return heap().present[hash >> 48U];
}

// Exponentially distributed intervals make the probability of a sample independent of the order of allocations.
std::int64_t next_interval() noexcept {
    if (random_state == 0) random_state = reinterpret_cast<std::uintptr_t>(&random_state) | 1U;
    random_state ^= random_state << 13U;
    random_state ^= random_state >> 7U;
    random_state ^= random_state << 17U;
    const double uniform = (static_cast<double>(random_state >> 11U) + 0.5) * 0x1p-53;
    return 1 + static_cast<std::int64_t>(-std::log(uniform) * static_cast<double>(heap_period));
}

// Returns the number of allocations of this size for which a sample stands.
double weight_of(std::size_t size) noexcept {
    return 1 / -std::expm1(-static_cast<double>(size) / static_cast<double>(heap_period));
}

// Marks allocations and deletions of the sampler itself. Its tables are deleted by the same operator, which would
// acquire the lock again.
struct sampler_scope {
    sampler_scope() noexcept { sampling = true; }
    sampler_scope(const sampler_scope&) = delete;
    sampler_scope& operator=(const sampler_scope&) = delete;
    ~sampler_scope() { sampling = false; }
};

void record(void* memory, std::size_t size, std::uintptr_t caller) {
    std::uintptr_t frames[max_site_frames];
    const std::size_t count = capture_callers(caller, frames);
    const double weight = weight_of(size);
    sampled_heap& all = heap();
    const std::lock_guard lock(all.mutex);
    if (all.samples.size() >= max_samples) return;
    std::vector<std::uintptr_t> stack(frames, frames + count);
    if (all.sites.size() >= max_sites && !all.sites.contains(stack)) stack.clear();
    heap_site& site = all.sites[std::move(stack)];
    const auto objects = static_cast<std::int64_t>(std::llround(weight));
    const auto bytes = static_cast<std::int64_t>(std::llround(weight * static_cast<double>(size)));
    all.samples[memory] = {&site, objects, bytes};
    site.allocated += objects;
    site.allocated_bytes += bytes;
    site.live += objects;
    site.live_bytes += bytes;
    present(memory).fetch_add(1, std::memory_order_relaxed);
}

[[gnu::noinline]] void sample(void* memory, std::size_t size, void* caller) noexcept {
    const bool first = until_sample + static_cast<std::int64_t>(size) == 0;
    until_sample = next_interval();
    if (first) {
        in_use.store(true, std::memory_order_relaxed);
        until_sample -= static_cast<std::int64_t>(size);
        if (until_sample > 0) return;
        until_sample = next_interval();
    }
    if (sampling) return;
    const sampler_scope scope;
    try {
        record(memory, size, reinterpret_cast<std::uintptr_t>(caller));
    } catch (const std::bad_alloc&) {
        return;  // the allocation itself has succeeded
    }
}

[[gnu::noinline]] void forget(void* memory) noexcept {
    const sampler_scope scope;
    sampled_heap& all = heap();
    const std::lock_guard lock(all.mutex);
    const auto found = all.samples.find(memory);
    if (found == all.samples.end()) return;
    found->second.site->live -= found->second.count;
    found->second.site->live_bytes -= found->second.bytes;
    all.samples.erase(found);
    present(memory).fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace

std::optional<std::vector<heap_site>> heap_sites() {
    if (!in_use) return {};
    const bool before = std::exchange(sampling, true);
    constexpr std::size_t piece = 64;
    sampled_heap& all = heap();
    std::vector<heap_site> made;
    bool first = true, ended = false;
    for (decltype(all.sites.begin()) next; !ended;) {
        if (made.capacity() - made.size() < piece) made.reserve(2 * made.size() + piece);  // without the lock
        const std::lock_guard lock(all.mutex);
        if (std::exchange(first, false)) next = all.sites.begin();
        // Sites are never removed, so the iterator stays valid.
        for (std::size_t i = 0; i < piece && next != all.sites.end(); ++i, ++next) {
            made.push_back(next->second);
            made.back().stack = next->first;
        }
        ended = next == all.sites.end();
    }
    sampling = before;
    return made;
}

}  // namespace apus::profiling

namespace apus {

void* detail::profiled_new(std::size_t size, std::size_t alignment) {
    for (;;) {
        void* memory = nullptr;
        if (alignment == 0) memory = std::malloc(size ? size : 1);
        else if (posix_memalign(&memory, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) != 0)
            memory = nullptr;
        if (memory) {
            profiling::until_sample -= static_cast<std::int64_t>(size);
            if (profiling::until_sample <= 0) [[unlikely]]
                profiling::sample(memory, size, __builtin_return_address(0));
            return memory;
        }
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

void detail::profiled_delete(void* memory) noexcept {
    // `sampling` is set while this thread holds the lock.
    if (memory && profiling::in_use.load(std::memory_order_relaxed) && !profiling::sampling &&
        profiling::present(memory).load(std::memory_order_relaxed) != 0)
        profiling::forget(memory);
    std::free(memory);
}

}  // namespace apus
