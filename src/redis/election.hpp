// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/address.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace apus::redis {

/// Counts which primary the sentinels name, and chooses the server to try next.
class election {
public:
    explicit election(std::size_t sentinels) : sentinels_(sentinels) {}

    void vote(const std::optional<host_port>& primary);  ///< Answer of one sentinel; nullopt: it names none.
    bool complete() const noexcept { return votes_ == sentinels_; }
    /// Returns the server with the most votes among those not returned before.
    /// Until all sentinels have answered, returns only a server that the majority names. Nullopt: wait for answers, or,
    /// if the election is complete, there is no other server.
    std::optional<host_port> next();
    bool agrees_on(const host_port&) const noexcept;  ///< Whether the majority of the sentinels names this server.

private:
    struct candidate {
        host_port at;
        std::size_t votes;
        bool returned;
    };
    std::size_t sentinels_, votes_ = 0;
    std::vector<candidate> all_;
};

}  // namespace apus::redis
