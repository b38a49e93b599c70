// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arena/items.hpp"

#include <array>
#include <chrono>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace arena {

/// Items that were read in the last 200 ms, shared by all cores. Any thread may call any function.
class item_cache {
public:
    using clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds lifetime{200};

    /// Result of a lookup. `writes` is for `put`.
    struct found {
        std::optional<item> value;
        std::uint64_t writes;
    };

    found find(std::int64_t id, clock::time_point now);

    /// Stores an item that was read after a `find`, unless its part of the cache was written meanwhile.
    /// After such a write the item may be outdated.
    void put(const item& value, std::uint64_t writes, clock::time_point now);

    /// Removes an item that was written to the database.
    void drop(std::int64_t id);

private:
    struct entry {
        item value;
        clock::time_point until;
    };
    struct part {
        std::mutex lock;
        std::unordered_map<std::int64_t, entry> items;
        std::uint64_t writes = 0;
        clock::time_point cleaned;
    };

    part& part_of(std::int64_t id) { return parts_[static_cast<std::uint64_t>(id) % parts_.size()]; }

    std::array<part, 64> parts_;
};

}  // namespace arena
