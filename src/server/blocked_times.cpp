// SPDX-License-Identifier: Apache-2.0
#include "server/blocked_times.hpp"

namespace apus::server {

void blocked_times::add(std::span<const std::uintptr_t> stack, std::string_view route, total more) {
    const std::lock_guard lock(mutex_);
    key k{{stack.begin(), stack.end()}, std::string(route)};
    if (totals_.size() >= max_stacks && !totals_.contains(k)) k.stack.clear();
    total& t = totals_[std::move(k)];
    t.count += more.count;
    t.milliseconds += more.milliseconds;
}

std::map<blocked_times::key, blocked_times::total> blocked_times::totals() const {
    const std::lock_guard lock(mutex_);
    return totals_;
}

}  // namespace apus::server
