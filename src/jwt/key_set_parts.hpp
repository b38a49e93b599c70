// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jwt/key_parts.hpp"

#include <atomic>
#include <memory>
#include <mutex>

namespace apus::jwt {

/// Keys that do not change any more, in the order of their ids.
using key_list = std::vector<key>;

/// The keys of all cores. A core looks at `version` for each token, and takes the lock only when it
/// has changed.
struct key_set::parts {
    std::atomic<std::uint64_t> version{1};
    mutable std::mutex changing;
    std::shared_ptr<const key_list> keys = std::make_shared<const key_list>();
    std::atomic<std::int64_t> refresh_due{0};  // of CLOCK_MONOTONIC, in nanoseconds
    std::atomic<std::uint32_t> owners{1};

    std::shared_ptr<const key_list> now() const {
        const std::lock_guard lock(changing);
        return keys;
    }
};

/// What the rest of the library sees of a set.
struct key_set_access {
    static key_set::parts* parts_of(const key_set& of) noexcept { return &*of.parts_; }
};

}  // namespace apus::jwt
