// SPDX-License-Identifier: Apache-2.0
#include "operations/program_metrics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <string_view>

namespace apus::operations {
namespace {

using metrics::combine;
using metrics::detail::family;
using metrics::detail::kind;

double real(std::uint64_t cell) noexcept { return std::bit_cast<double>(cell); }

// NaN marks a gauge that a core has not set.
double combined(combine how, double a, double b) noexcept {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    return how == combine::sum ? a + b : how == combine::max ? std::max(a, b) : std::min(a, b);
}

// Returns the sum of the cells number `i` of two series.
std::uint64_t added(const family& of, std::size_t i, std::uint64_t a, std::uint64_t b) noexcept {
    const bool is_sum = of.of == kind::histogram && i == of.width() - 1;
    if (is_sum) return std::bit_cast<std::uint64_t>(real(a) + real(b));
    if (of.of != kind::gauge) return a + b;
    return std::bit_cast<std::uint64_t>(combined(of.cores, real(a), real(b)));
}

std::string_view value_of(const family& of, std::size_t series, std::size_t label) {
    return of.by[label].values[of.value_of(series, label)];
}

}  // namespace

void program_metrics::merge(merged& to, const family& from) {
    const std::size_t width = from.width();
    for (std::size_t i = 0; i < to.cells.size(); ++i)
        to.cells[i] = added(from, i % width, to.cells[i], metrics::detail::load(from.cells(i / width)[i % width]));
}

// Metrics of the same name whose definitions differ in more than the values of labels cannot be written together. Only
// metrics that fit to the first one are used.
void program_metrics::add(const web::application& app) {
    for (const auto& each : app.metric_families()) {
        auto& all = families_[each->name];
        if (!all.empty() && !all[0].definition->joins(*each)) continue;
        auto to = std::ranges::find_if(all, [&](const merged& known) { return known.definition->same_as(*each); });
        if (to == all.end()) {
            const bool may_be_unset = each->of == kind::gauge && each->cores != combine::sum;
            const std::uint64_t unset = may_be_unset ? std::bit_cast<std::uint64_t>(std::nan("")) : 0;
            all.push_back({each, std::vector<std::uint64_t>(each->series_count() * each->width(), unset)});
            to = std::prev(all.end());
        }
        merge(*to, *each);
    }
}

void program_metrics::write_series(exposition& to, const family& of, std::span<const std::uint64_t> cells,
                                   sample_labels labels) {
    switch (of.of) {
        case kind::counter: return to.sample(labels, cells[0]);
        case kind::gauge: return to.sample(labels, std::isnan(real(cells[0])) ? 0 : real(cells[0]));
        case kind::histogram:
            return to.histogram(
                labels, {.bounds = of.bounds, .counts = cells.first(cells.size() - 1), .sum = real(cells.back())});
    }
}

// Adds up series of several definitions that have the same values, such as `other`.
void program_metrics::write_joined(exposition& to, const std::vector<merged>& all) {
    std::map<std::vector<std::string_view>, std::vector<std::uint64_t>> joined;
    const family& first = *all[0].definition;
    const std::size_t width = first.width();
    for (const auto& each : all) {
        const family& of = *each.definition;
        for (std::size_t series = 0; series < of.series_count(); ++series) {
            std::vector<std::string_view> values(of.by.size());
            for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(of, series, i);
            const auto cells = std::span(each.cells).subspan(series * width, width);
            const auto [at, is_new] = joined.try_emplace(std::move(values), cells.begin(), cells.end());
            for (std::size_t i = 0; i < width && !is_new; ++i) at->second[i] = added(of, i, at->second[i], cells[i]);
        }
    }
    std::vector<sample_label> labels(first.by.size());
    for (const auto& [values, cells] : joined) {
        for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = {first.by[i].name, values[i]};
        write_series(to, first, cells, labels);
    }
}

void program_metrics::write(exposition& to) const {
    constexpr metric_type types[] = {metric_type::counter, metric_type::gauge, metric_type::histogram};
    for (const auto& [name, all] : families_) {
        const family& of = *all[0].definition;
        to.family(name, types[static_cast<unsigned>(of.of)], of.help);
        if (all.size() != 1) {
            write_joined(to, all);
            continue;
        }
        std::vector<sample_label> labels(of.by.size());
        for (std::size_t series = 0; series < of.series_count(); ++series) {
            for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = {of.by[i].name, value_of(of, series, i)};
            write_series(to, of, std::span(all[0].cells).subspan(series * of.width(), of.width()), labels);
        }
    }
}

}  // namespace apus::operations
