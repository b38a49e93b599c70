// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::server {

/// How long the cores were blocked, by stack and route, since the process started. For any thread.
class blocked_times {
public:
    struct key {
        std::vector<std::uintptr_t> stack;  ///< Innermost function first; empty if it was not captured.
        std::string route;
        auto operator<=>(const key&) const = default;
    };
    struct total {
        std::int64_t count = 0, milliseconds = 0;
    };

    /// Adds to the totals of a stack and route.
    /// Keeps up to 1,000 stacks; time with another stack is added to its route without a stack.
    void add(std::span<const std::uintptr_t> stack, std::string_view route, total);
    std::map<key, total> totals() const;

private:
    static constexpr std::size_t max_stacks = 1000;

    mutable std::mutex mutex_;
    std::map<key, total> totals_;
};

}  // namespace apus::server
