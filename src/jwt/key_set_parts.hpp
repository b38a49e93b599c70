// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jwt/key_parts.hpp"

#include <atomic>
#include <memory>
#include <mutex>

namespace apus::jwt {

/// An immutable list of keys, sorted by id.
using key_list = std::vector<key>;

/// The keys that all cores share.
/// A core checks `version` for each token, and takes the lock only after a change.
struct key_set::parts {
    std::atomic<std::uint64_t> version{1};
    mutable std::mutex changing;
    std::shared_ptr<const key_list> keys = std::make_shared<const key_list>();
    std::atomic<std::int64_t> refresh_due{0};  // in nanoseconds of CLOCK_MONOTONIC
    std::atomic<std::uint32_t> owners{1};

    std::shared_ptr<const key_list> now() const {
        const std::lock_guard lock(changing);
        return keys;
    }
};

/// Internal representation of a key set.
struct key_set_access {
    static key_set::parts* parts_of(const key_set& of) noexcept { return &*of.parts_; }
};

}  // namespace apus::jwt
