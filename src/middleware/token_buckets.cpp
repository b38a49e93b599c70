// SPDX-License-Identifier: Apache-2.0
#include "middleware/token_buckets.hpp"

#include <algorithm>
#include <bit>

namespace apus::middleware {

// No other data is published through these atomics, so relaxed order is sufficient.
namespace {
constexpr auto relaxed = std::memory_order_relaxed;
}

token_buckets::token_buckets(std::uint32_t keys, token_rate rate)
    : rate_(rate), set_mask_(std::bit_ceil(std::max(keys, ways)) / ways - 1), sets_(new bucket_set[set_mask_ + 1]) {}

token_buckets::bucket& token_buckets::find(std::uint64_t key) noexcept {
    auto& set = sets_[(key >> 32) & set_mask_].of;
    while (true) {
        bucket* fullest = &set[0];
        for (auto& b : set) {
            if (b.key.load(relaxed) == key) return b;
            if (b.full_at.load(relaxed) < fullest->full_at.load(relaxed)) fullest = &b;
        }
        std::uint64_t before = fullest->key.load(relaxed);
        if (!fullest->key.compare_exchange_strong(before, key, relaxed)) continue;
        fullest->full_at.store(0, relaxed);
        return *fullest;
    }
}

token_result token_buckets::take(std::uint64_t key, std::int64_t now) noexcept {
    auto& full_at = find(key ? key : 1).full_at;
    std::int64_t before = full_at.load(relaxed);
    while (true) {
        const std::int64_t filled = std::max(before, now);
        const std::int64_t after = filled + rate_.interval;
        if (after - now > rate_.capacity)
            return {false, (rate_.capacity - (filled - now)) / rate_.interval, after - now - rate_.capacity,
                    filled - now};
        if (full_at.compare_exchange_weak(before, after, relaxed))
            return {true, (rate_.capacity - (after - now)) / rate_.interval, 0, after - now};
    }
}

}  // namespace apus::middleware
