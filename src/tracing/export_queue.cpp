// SPDX-License-Identifier: Apache-2.0
#include "tracing/export_queue.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace apus::tracing {

void export_queue::push(std::string item) noexcept {
    if (closed_) return counts.failed += 1, void();
    const std::size_t more = item.size() + item_overhead;
    if (bytes_ + held_ + more > limit_) return drop(1);
    try {
        items_.push_back(std::move(item));
    } catch (const std::bad_alloc&) {
        return drop(1);
    }
    bytes_ += more;
    if (listener) listener->item_queued();
}

bool export_queue::hold(std::size_t bytes) noexcept {
    const std::size_t more = bytes + item_overhead;
    if (held_ + more > limit_ / 2 || bytes_ + held_ + more > limit_) return false;
    held_ += more;
    return true;
}

void export_queue::end_hold(std::size_t bytes, std::size_t items) noexcept { held_ -= bytes + items * item_overhead; }

void export_queue::close() noexcept {
    closed_ = true;
    counts.failed += items_.size();
    items_.clear();
    bytes_ = 0;
}

std::vector<std::string> export_queue::take(std::size_t most, std::size_t bytes) {
    std::vector<std::string> taken;
    taken.reserve(std::min(most, items_.size()));
    for (std::size_t sum = 0; !items_.empty() && taken.size() < most && sum < bytes;) {
        sum += items_.front().size();
        bytes_ -= items_.front().size() + item_overhead;
        taken.push_back(std::move(items_.front()));
        items_.pop_front();
    }
    return taken;
}

}  // namespace apus::tracing
