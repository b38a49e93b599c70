// SPDX-License-Identifier: Apache-2.0
#include "operations/program_metrics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

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

}  // namespace

void program_metrics::merge(merged& to, const family& from) {
    const std::size_t width = from.width();
    for (std::size_t i = 0; i < to.cells.size(); ++i) {
        const std::uint64_t more = metrics::detail::load(from.cells(i / width)[i % width]);
        const bool is_sum = from.of == kind::histogram && i % width == width - 1;
        std::uint64_t& cell = to.cells[i];
        if (is_sum) cell = std::bit_cast<std::uint64_t>(real(cell) + real(more));
        else if (from.of != kind::gauge) cell += more;
        else cell = std::bit_cast<std::uint64_t>(combined(from.cores, real(cell), real(more)));
    }
}

// Metrics of the same name with different definitions cannot be added up. Only metrics with the same definition as the
// first metric are used.
void program_metrics::add(const web::application& app) {
    for (const auto& each : app.metric_families()) {
        merged& to = families_[each->name];
        if (!to.definition) {
            to.definition = each;
            const bool may_be_unset = each->of == kind::gauge && each->cores != combine::sum;
            to.cells.assign(each->series_count() * each->width(),
                            may_be_unset ? std::bit_cast<std::uint64_t>(std::nan("")) : 0);
        }
        if (to.definition->same_as(*each)) merge(to, *each);
    }
}

void program_metrics::write_series(exposition& to, const merged& from, std::size_t series, sample_labels labels) {
    const auto& of = *from.definition;
    const std::size_t width = of.width();
    const auto cells = std::span(from.cells).subspan(series * width, width);
    switch (of.of) {
        case kind::counter: return to.sample(labels, cells[0]);
        case kind::gauge: return to.sample(labels, std::isnan(real(cells[0])) ? 0 : real(cells[0]));
        case kind::histogram: return to.histogram(labels, of.bounds, cells.first(width - 1), real(cells[width - 1]));
    }
}

void program_metrics::write(exposition& to) const {
    constexpr metric_type types[] = {metric_type::counter, metric_type::gauge, metric_type::histogram};
    for (const auto& [name, each] : families_) {
        const auto& of = *each.definition;
        to.family(name, types[static_cast<unsigned>(of.of)], of.help);
        std::vector<sample_label> labels(of.by.size());
        for (std::size_t series = 0; series < of.series_count(); ++series) {
            for (std::size_t i = 0; i < labels.size(); ++i)
                labels[i] = {of.by[i].name, of.by[i].values[of.value_of(series, i)]};
            write_series(to, each, series, labels);
        }
    }
}

}  // namespace apus::operations
