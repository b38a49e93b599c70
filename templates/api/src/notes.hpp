// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/rules.hpp>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

struct new_note {
    apus::text<1, 200> text;
    apus::integer<1, 5> priority{3};
};

struct note {
    std::int64_t id;
    std::string text;
    int priority;
};

/// Notes in memory. All cores share them, so there is a lock.
class notes {
public:
    note add(const new_note&);
    std::optional<note> find(std::int64_t id) const;
    std::vector<note> first(std::size_t most) const;

private:
    mutable std::mutex lock_;
    std::vector<note> all_;
};
