// SPDX-License-Identifier: Apache-2.0
#include "runtime/instruments.hpp"

#include <algorithm>
#include <utility>

namespace apus::runtime {

instrument_group::instrument_group(const instrument_set& set, std::initializer_list<std::string_view> labels)
    : set_(set),
      labels_(labels.begin(), labels.end()),
      cells_(std::make_unique<base::counter[]>(set.cells)),
      histograms_(std::make_unique<base::duration_counts[]>(set.histograms())) {}

instrument_list::~instrument_list() {
    for (auto* g = first_.load(); g;) delete std::exchange(g, g->next_.load());
}

// The list is short: a program has few databases, queues and pools.
instrument_group& instrument_list::of(const instrument_set& set, std::initializer_list<std::string_view> labels) {
    std::size_t known = 0;
    auto* end = &first_;
    for (instrument_group* g; (g = end->load(std::memory_order_relaxed)); end = &g->next_) {
        if (&g->set_ != &set) continue;
        if (std::ranges::equal(g->labels_, labels)) return *g;
        ++known;
    }
    constexpr std::string_view other = "other";
    const bool is_over = known >= max_groups && labels.size() != 0 && *labels.begin() != other;
    if (is_over) return labels.size() == 1 ? of(set, {other}) : of(set, {other, other});
    auto* const made = new instrument_group(set, labels);
    end->store(made, std::memory_order_release);
    return *made;
}

}  // namespace apus::runtime
