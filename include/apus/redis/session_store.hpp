// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sessions on Redis, shared by all processes: for `apus::sessions` (sessions.hpp).

#include <apus/redis.hpp>
#include <apus/sessions.hpp>

namespace apus::redis {

/// Session store on Redis. Any core may use it.
/// Each session is a key that expires. For ten minutes after a session was destroyed or renewed, requests in flight
/// cannot restore the old session. Errors are as for `executor`: while Redis is unreachable, requests that use the
/// store get 503.
class session_store final : public apus::session_store {
public:
    /// `prefix`: prefix of the key of each session.
    explicit session_store(client db, std::string prefix = "session:");

    task<std::optional<std::string>> load(std::string_view key) override;              ///< One round trip.
    task<> save(std::string_view key, std::string bytes, duration lifetime) override;  ///< One round trip.
    task<> remove(std::string_view key) override;                                      ///< One round trip.

private:
    std::string key_of(std::string_view key) const { return prefix_ + std::string(key); }

    client db_;
    std::string prefix_;
};

}  // namespace apus::redis
