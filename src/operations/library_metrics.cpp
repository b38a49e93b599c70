// SPDX-License-Identifier: Apache-2.0
#include "operations/library_metrics.hpp"

#include "operations/route_metrics.hpp"

#include <algorithm>
#include <span>
#include <string_view>

namespace apus::operations {
namespace {

using runtime::instrument;

metric_type type_of(instrument::type of) noexcept {
    switch (of) {
        case instrument::type::counter:
        case instrument::type::seconds: return metric_type::counter;
        case instrument::type::gauge: return metric_type::gauge;
        case instrument::type::durations: break;
    }
    return metric_type::histogram;
}

// The cells of a gauge are read one after the other while cores change them, so their sum may be below zero.
double gauge_of(std::uint64_t sum) noexcept {
    return static_cast<double>(std::max<std::int64_t>(static_cast<std::int64_t>(sum), 0));
}

}  // namespace

void library_metrics::add(const runtime::instrument_list& of) {
    of.each([this](const runtime::instrument_group& g) {
        auto to =
            std::ranges::find_if(groups_, [&](const merged& m) { return m.set == &g.set() && m.labels == g.labels(); });
        if (to == groups_.end()) {
            const auto last =
                std::find_if(groups_.rbegin(), groups_.rend(), [&](const merged& m) { return m.set == &g.set(); });
            to = groups_.insert(last == groups_.rend() ? groups_.end() : last.base(),
                                {&g.set(), g.labels(), std::vector<std::uint64_t>(g.set().cells),
                                 std::vector<duration_sum>(g.set().histograms())});
        }
        for (unsigned i = 0; i < g.set().cells; ++i) to->cells[i] += g.load(i);
        for (unsigned i = 0; i < to->histograms.size(); ++i) to->histograms[i].add(g.durations(i));
    });
}

void library_metrics::write_samples(exposition& to, const merged& from, const instrument& what) const {
    std::vector<sample_label> labels;
    labels.reserve(from.labels.size() + 1);
    for (std::size_t i = 0; i < from.labels.size(); ++i) labels.push_back({from.set->labels[i], from.labels[i]});
    if (!what.label.empty()) labels.push_back({what.label, what.value});
    if (what.of == instrument::type::durations) return from.histograms[what.cell].write(to, labels);
    const std::uint64_t value = from.cells[what.cell];
    switch (what.of) {
        case instrument::type::counter: return to.sample(labels, value);
        case instrument::type::seconds: return to.sample(labels, static_cast<double>(value) / 1e9);
        case instrument::type::gauge: return to.sample(labels, gauge_of(value));
        case instrument::type::durations: break;
    }
}

void library_metrics::write(exposition& to) const {
    for (std::size_t first = 0, last = 0; first < groups_.size(); first = last) {
        const auto& set = *groups_[first].set;
        while (last < groups_.size() && groups_[last].set == &set) ++last;
        const auto same_set = std::span(groups_).subspan(first, last - first);
        for (std::size_t row = 0; row < set.all.size();) {
            const instrument& about = set.all[row];
            std::size_t end = row;
            while (end < set.all.size() && set.all[end].name == about.name) ++end;
            to.family(about.name, type_of(about.of), about.help);
            for (const auto& group : same_set)
                for (const auto& what : set.all.subspan(row, end - row)) write_samples(to, group, what);
            row = end;
        }
    }
}

}  // namespace apus::operations
