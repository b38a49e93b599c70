// SPDX-License-Identifier: Apache-2.0
#pragma once

// Idempotency keys on Redis, shared by all processes: for `apus::idempotency` (idempotency.hpp).

#include <apus/idempotency.hpp>
#include <apus/redis.hpp>

namespace apus::redis {

/// Idempotency keys on Redis. Any core may use it.
/// Each key expires. A request that runs its handler costs two round trips, a repeated request one. Errors are as for
/// `executor`: while Redis is unreachable, requests with a key get 503.
class idempotency_store final : public apus::idempotency_store {
public:
    /// `prefix`: prefix of each key in Redis.
    explicit idempotency_store(client db, std::string prefix = "idempotency:");

    /// One round trip.
    task<std::optional<std::string>> claim(std::string_view key, std::string_view claim, duration lease) override;
    /// One round trip.
    task<bool> complete(std::string_view key, std::string_view claim, std::string_view value,
                        duration lifetime) override;
    task<> release(std::string_view key, std::string_view claim) override;  ///< One round trip.

private:
    client db_;
    std::string prefix_;
};

}  // namespace apus::redis
