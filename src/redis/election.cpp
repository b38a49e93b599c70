// SPDX-License-Identifier: Apache-2.0
#include "redis/election.hpp"

#include <algorithm>

namespace apus::redis {

void election::vote(const std::optional<host_port>& primary) {
    ++votes_;
    if (!primary) return;
    const auto found = std::ranges::find(all_, *primary, &candidate::at);
    if (found != all_.end()) ++found->votes;
    else all_.push_back({.at = *primary, .votes = 1, .returned = false});
}

std::optional<host_port> election::next() {
    candidate* best = nullptr;
    for (candidate& one : all_)
        if (!one.returned && (!best || one.votes > best->votes)) best = &one;
    if (!best || (!complete() && best->votes * 2 <= sentinels_)) return std::nullopt;
    best->returned = true;
    return best->at;
}

bool election::agrees_on(const host_port& at) const noexcept {
    const auto found = std::ranges::find(all_, at, &candidate::at);
    return found != all_.end() && found->votes * 2 > sentinels_;
}

}  // namespace apus::redis
