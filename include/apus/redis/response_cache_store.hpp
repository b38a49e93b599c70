// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cached responses on Redis, shared by all processes: for `apus::response_cache` (response_cache.hpp).

#include <apus/redis.hpp>
#include <apus/response_cache.hpp>

namespace apus::redis {

/// Second level of response caches on Redis. Any core may use the store.
/// Each function is one script, in one round trip. Each response is a key that expires at the end of its lifetime.
///
/// Each tag is a key with a version. A response is found only if its tags still have the versions that they had when
/// it was stored: so it is never found again after a drop, also if Redis has evicted the tag. Redis may evict any key:
/// set `maxmemory` and `maxmemory-policy allkeys-lru`. On a cluster, all keys of a store are on one node.
///
/// Errors are as for `executor`.
class response_cache_store final : public apus::response_cache_store {
public:
    /// A response is not stored if this time has passed between `find` and `put`.
    static constexpr duration longest_handler = seconds(60);

    /// `name`: part of all keys. Services that share a Redis need different names.
    /// Throws `std::invalid_argument` if it is empty or contains a brace.
    explicit response_cache_store(client db, std::string_view name = "responses");

    // See the base class.
    task<found> find(std::string key) override;
    task<bool> put(entry what) override;
    task<> drop(std::vector<std::string> tags) override;

private:
    client db_;
    std::string prefix_;
};

}  // namespace apus::redis
