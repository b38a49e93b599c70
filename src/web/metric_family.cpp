// SPDX-License-Identifier: Apache-2.0
#include "web/metric_family.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "web/app_parts.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace apus::metrics::detail {
namespace {

constexpr std::size_t max_series = 10'000, max_bounds = 64;

[[noreturn]] void refuse(std::string_view name, const std::string& why) {
    throw std::invalid_argument("metric `" + std::string(name) + "`: " + why);
}

bool is_name(std::string_view text, bool may_have_colon) noexcept {
    if (text.empty() || base::is_digit(text[0])) return false;
    return std::ranges::all_of(text, [&](char c) {
        return base::is_letter(c) || base::is_digit(c) || c == '_' || (c == ':' && may_have_colon);
    });
}

void check_name(const definition& d) {
    if (!is_name(d.name, true))
        refuse(d.name, "a name must consist of letters, digits, `_` and `:`, and must not begin with a digit");
    for (const std::string_view reserved : {"apus_", "http_server_", "process_"})
        if (d.name.starts_with(reserved)) refuse(d.name, "the prefix `" + std::string(reserved) + "` is reserved");
    if ((d.of == kind::counter) != d.name.ends_with("_total"))
        refuse(d.name, d.of == kind::counter ? "the name of a counter must end in `_total`"
                                             : "only names of counters may end in `_total`");
    for (const std::string_view suffix : {"_bucket", "_count", "_sum", "_created", "_info"})
        if (d.name.ends_with(suffix)) refuse(d.name, "names must not end in `" + std::string(suffix) + "`");
    if (!base::is_utf8(d.help)) refuse(d.name, "the help text is invalid UTF-8");
}

void check_bounds(const definition& d) {
    if (d.bounds.size() > max_bounds) refuse(d.name, "a histogram may have at most 64 bounds");
    for (std::size_t i = 0; i < d.bounds.size(); ++i)
        if (!std::isfinite(d.bounds[i]) || (i != 0 && d.bounds[i] <= d.bounds[i - 1]))
            refuse(d.name, "bounds must be finite and ascending");
}

family::label_set read_label(const definition& d, const label& given) {
    if (!is_name(given.name, false) || given.name.starts_with("__") || given.name == "le")
        refuse(d.name, "invalid label name `" + std::string(given.name) + "`");
    family::label_set made{std::string(given.name), {}};
    for (const auto value : given.values) {
        if (!base::is_utf8(value)) refuse(d.name, "a value of the label `" + made.name + "` is invalid UTF-8");
        if (std::ranges::count(given.values, value) != 1 || value == "other")
            refuse(d.name, "the label `" + made.name + "` has the value `" + std::string(value) + "` twice");
        made.values.emplace_back(value);
    }
    made.values.emplace_back("other");
    return made;
}

}  // namespace

family::family(const definition& d) : of(d.of), cores(d.cores), name(d.name), help(d.help) {
    check_name(d);
    check_bounds(d);
    bounds.assign(d.bounds.begin(), d.bounds.end());
    for (const auto& given : d.by) {
        by.push_back(read_label(d, given));
        if (std::ranges::count(by, by.back().name, &label_set::name) != 1)
            refuse(name, "two labels are named `" + by.back().name + "`");
        series_ *= by.back().values.size();
        if (series_ > max_series) refuse(name, "more than 10,000 series");
    }
    cells_ = std::make_unique<std::uint64_t[]>(series_ * width());
    if (of == kind::gauge && cores != combine::sum)
        std::fill_n(cells_.get(), series_, std::bit_cast<std::uint64_t>(std::nan("")));
}

bool family::same_as(const family& other) const { return joins(other) && by == other.by; }

bool family::joins(const family& other) const {
    return of == other.of && cores == other.cores && name == other.name && help == other.help &&
           std::ranges::equal(by, other.by, {}, &label_set::name, &label_set::name) && bounds == other.bounds;
}

// Returns the series for these values of labels. Unknown values count as the last value, "other".
std::size_t family::find(const std::string_view* values) const noexcept {
    std::size_t at = 0;
    for (const auto& each : by) {
        const auto known = std::ranges::find(each.values, *values++);
        const std::size_t index =
            known == each.values.end() ? each.values.size() - 1 : static_cast<std::size_t>(known - each.values.begin());
        at = at * each.values.size() + index;
    }
    return at;
}

std::size_t family::value_of(std::size_t series, std::size_t label) const noexcept {
    for (std::size_t i = by.size(); --i > label;) series /= by[i].values.size();
    return series % by[label].values.size();
}

series series::with(const std::string_view* values, std::size_t count) const {
    if (count != of->by.size())
        refuse(of->name,
               "with() got " + std::to_string(count) + " values for " + std::to_string(of->by.size()) + " labels");
    return {of, of->cells(of->find(values))};
}

series registration::add(router& in, const definition& d) {
    auto made = std::make_shared<family>(d);
    auto& all = in.parts_->metrics;
    for (const auto& each : all)
        if (each->name == made->name && !each->joins(*made)) refuse(d.name, "already exists with another definition");
    const auto found = std::ranges::find_if(all, [&](const auto& each) { return each->same_as(*made); });
    const family& used = found != all.end() ? **found : *all.emplace_back(std::move(made));
    return {&used, used.cells(used.series_count() - 1)};
}

void observe(const series& to, double value) noexcept {
    const auto& bounds = to.of->bounds;
    const auto bucket = static_cast<std::size_t>(std::ranges::lower_bound(bounds, value) - bounds.begin());
    // Comparisons with NaN are false, so NaN would be counted in the first bucket. It belongs in the last bucket.
    std::uint64_t& count = to.cells[std::isnan(value) ? bounds.size() : bucket];
    store(count, load(count) + 1);
    add_real(to.cells[bounds.size() + 1], value);
}

}  // namespace apus::metrics::detail
