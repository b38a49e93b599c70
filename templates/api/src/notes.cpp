// SPDX-License-Identifier: Apache-2.0
#include "notes.hpp"

#include <algorithm>

note notes::add(const new_note& sent) {
    const std::lock_guard hold(lock_);
    return all_.emplace_back(static_cast<std::int64_t>(all_.size()) + 1, *sent.text, *sent.priority);
}

std::optional<note> notes::find(std::int64_t id) const {
    const std::lock_guard hold(lock_);
    if (id < 1 || id > static_cast<std::int64_t>(all_.size())) return std::nullopt;
    return all_[static_cast<std::size_t>(id) - 1];
}

std::vector<note> notes::first(std::size_t most) const {
    const std::lock_guard hold(lock_);
    return {all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(std::min(most, all_.size()))};
}
