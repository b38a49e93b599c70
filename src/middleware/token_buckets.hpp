// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace apus::middleware {

/// How fast a bucket fills, and how much it holds. Times in nanoseconds.
struct token_rate {
    std::int64_t interval = 1;  ///< From one token to the next.
    std::int64_t capacity = 1;  ///< In which an empty bucket becomes full: `interval` for each token.
};

/// What became of a request for one token.
struct token_verdict {
    bool allowed;
    std::int64_t left;        ///< Tokens in the bucket now.
    std::int64_t until_next;  ///< Nanoseconds to the next token, where none is left; else 0.
    std::int64_t until_full;  ///< Nanoseconds to a full bucket.
};

/// Buckets of tokens in memory of a fixed size, for all threads at once and without locks.
///
/// A bucket is one number: the time at which it will be full again. Keys lie in sets of eight; a
/// key that is new to a full set takes the place of the fullest bucket, which knows least. Where
/// two threads change the same set at the same instant, a bucket may count one request too few or
/// too many; two that take tokens of the same bucket never count wrongly.
class token_buckets {
public:
    token_buckets(std::uint32_t keys, token_rate);

    /// Takes a token of this key's bucket at this time, which must not go back by much.
    token_verdict take(std::uint64_t key, std::int64_t now) noexcept;

    std::uint32_t keys() const noexcept { return (set_mask_ + 1) * ways; }  ///< At most.

private:
    static constexpr std::uint32_t ways = 8;  // two cache lines

    struct bucket {
        std::atomic<std::uint64_t> key{0};  // 0: none
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
