// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace apus::middleware {

/// Refill rate and capacity of a bucket. Times are in nanoseconds.
struct token_rate {
    std::int64_t interval = 1;  ///< Time between two tokens.
    std::int64_t capacity = 1;  ///< Time in which an empty bucket becomes full: `interval` times the number of tokens.
};

/// Result of a request for one token.
struct token_result {
    bool allowed;
    std::int64_t left;        ///< Tokens left in the bucket.
    std::int64_t until_next;  ///< Nanoseconds until the next token if none is left, otherwise 0.
    std::int64_t until_full;  ///< Nanoseconds until the bucket is full.
};

/// Token buckets in a fixed amount of memory, lock-free and thread-safe.
/// A bucket is stored as one number: the time at which it is full again. Keys are stored in sets of eight; a new key in
/// a full set replaces the key with the fullest bucket, which loses the least information. Concurrent changes of
/// different keys in one set may miscount one request; concurrent requests for tokens of one bucket are counted
/// exactly.
class token_buckets {
public:
    token_buckets(std::uint32_t keys, token_rate);

    /// Takes a token from this key's bucket at time `now`, which must be nearly monotonic.
    token_result take(std::uint64_t key, std::int64_t now) noexcept;

    std::uint32_t keys() const noexcept { return (set_mask_ + 1) * ways; }  ///< Maximum number of tracked keys.

private:
    static constexpr std::uint32_t ways = 8;  // a set of eight entries takes two cache lines

    struct bucket {
        std::atomic<std::uint64_t> key{0};  // 0: the entry is unused
        std::atomic<std::int64_t> full_at{0};
    };
    struct alignas(64) bucket_set {
        bucket of[ways];
    };

    bucket& find(std::uint64_t key) noexcept;

    token_rate rate_;
    std::uint32_t set_mask_;
    std::unique_ptr<bucket_set[]> sets_;
};

}  // namespace apus::middleware
