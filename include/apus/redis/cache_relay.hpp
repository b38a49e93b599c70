// SPDX-License-Identifier: Apache-2.0
#pragma once

// Invalidation of the response caches of all processes of a service, on Redis: for `apus::response_cache`.

#include <apus/detail/owned_parts.hpp>
#include <apus/redis.hpp>
#include <apus/response_cache.hpp>

#include <string>

namespace apus::redis {

/// Drops cached responses by tag in all processes that use the same Redis and channel.
/// When the connection to Redis was lost and is established again, all responses of this process are dropped, since
/// messages may be missing. Until then, dropped responses may still be sent, but not longer than their lifetime.
class cache_relay {
public:
    /// `cache`: the cache of this process; copies share its responses.
    /// Create the relay once per process, outside `make_app`.
    /// Services that share a Redis server need different channels, even if they use different numbered databases.
    /// Throws `std::invalid_argument` for an empty channel.
    cache_relay(client db, const response_cache& cache, std::string channel = "cache-tags");
    ~cache_relay();

    /// Receives the messages of other processes until the task is cancelled.
    /// Run one task per process: use `router::background`. Throws `std::logic_error` if `run` is already running.
    task<> run();

    /// Drops the responses with a tag in this process at once, and then in all others.
    /// Any core. Before the others, drops them in `response_cache_options::store`, if it is set.
    /// Errors are as for `executor`: then other processes may keep their responses until their lifetime ends. Call it
    /// after the change is visible to handlers.
    task<> drop_tag(std::string tag);

private:
    struct parts;
    apus::detail::owned_parts<parts> parts_;
};

}  // namespace apus::redis
