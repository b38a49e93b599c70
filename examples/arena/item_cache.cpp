// SPDX-License-Identifier: Apache-2.0
#include "arena/item_cache.hpp"

namespace arena {

item_cache::found item_cache::find(std::int64_t id, clock::time_point now) {
    part& in = part_of(id);
    const std::lock_guard hold(in.lock);
    const auto at = in.items.find(id);
    if (at == in.items.end() || at->second.until <= now) return {std::nullopt, in.writes};
    return {at->second.value, in.writes};
}

void item_cache::put(const item& value, std::uint64_t writes, clock::time_point now) {
    part& in = part_of(value.id);
    const std::lock_guard hold(in.lock);
    if (in.writes != writes) return;
    if (now - in.cleaned > lifetime) {
        std::erase_if(in.items, [now](const auto& each) { return each.second.until <= now; });
        in.cleaned = now;
    }
    in.items.insert_or_assign(value.id, entry{value, now + lifetime});
}

void item_cache::drop(std::int64_t id) {
    part& in = part_of(id);
    const std::lock_guard hold(in.lock);
    ++in.writes;
    in.items.erase(id);
}

}  // namespace arena
