// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rate limits on Redis, shared by all processes: for `apus::rate_limit` (rate_limit.hpp).

#include <apus/rate_limit.hpp>
#include <apus/redis.hpp>

namespace apus::redis {

/// Buckets of rate limits on Redis. Any core may use it.
/// A request is one script, so one round trip, and exact for all processes together. The clock is that of Redis, in
/// microseconds. Each bucket is a key that expires when the bucket is full; other values under its key are replaced.
/// Errors are those of `executor`.
class rate_limit_store final : public apus::rate_limit_store {
public:
    /// `prefix`: begins the key of each bucket.
    explicit rate_limit_store(client db, std::string prefix = "rate:");

    /// One round trip. Intervals are rounded down to microseconds.
    task<rate_limit_answer> take(std::string_view key, duration interval, std::uint64_t burst) override;

private:
    client db_;
    std::string prefix_;
};

}  // namespace apus::redis
