// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rate limits on Redis, shared by all processes: for `apus::rate_limit` (rate_limit.hpp).

#include <apus/rate_limit.hpp>
#include <apus/redis.hpp>

namespace apus::redis {

/// Buckets of rate limits on Redis. Any core may use the store.
/// Each request executes one script, in one round trip. The limit is exact for all processes together: the script runs
/// atomically, with the clock of the Redis server in microseconds. Each bucket is a key that expires when the bucket is
/// full. A value of another type under this key is replaced. Errors are as for `executor`.
class rate_limit_store final : public apus::rate_limit_store {
public:
    /// `prefix`: prefix of the key of each bucket.
    explicit rate_limit_store(client db, std::string prefix = "rate:");

    /// One round trip. Intervals are rounded down to microseconds.
    task<rate_limit_answer> take(std::string_view key, duration interval, std::uint64_t burst) override;

private:
    client db_;
    std::string prefix_;
};

}  // namespace apus::redis
