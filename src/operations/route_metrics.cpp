// SPDX-License-Identifier: Apache-2.0
#include "operations/route_metrics.hpp"

#include "base/hex.hpp"

#include <array>
#include <iterator>
#include <span>

namespace apus::operations {
namespace {

// Upper bounds of the buckets of `base::duration_histogram`, in seconds.
constexpr auto duration_bounds = [] {
    std::array<double, std::size(base::duration_histogram::bounds)> seconds{};
    for (std::size_t i = 0; i < seconds.size(); ++i)
        seconds[i] = static_cast<double>(base::duration_histogram::bounds[i]) / 1e9;
    return seconds;
}();

}  // namespace

void duration_sum::add(const base::duration_histogram& of) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += of.counts[i];
    nanoseconds_ += of.sum;
}

void duration_sum::add(const base::duration_counts& of) {
    add(of.fixed());
    is_native_ = true;
    const auto* const native = of.native();
    if (!native) return;
    native_.resize(base::native_histogram::cells);
    for (unsigned i = 0; i < native_.size(); ++i) native_[i] += native->load(i);
}

void duration_sum::add(const http::exemplar_set& of) {
    exemplars_.resize(of.size());
    for (std::size_t i = 0; i < of.size(); ++i) {
        http::exemplar newer;
        if (of[i].read(newer) && newer.ended > exemplars_[i].ended) exemplars_[i] = newer;
    }
}

void duration_sum::write(exposition& to, sample_labels labels) const {
    std::vector<sample_exemplar> written(exemplars_.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        const auto& from = exemplars_[i];
        if (!from.ended) continue;
        const auto& id = from.trace;
        const auto milliseconds = from.ended / 1'000'000;
        written[i] = {.trace = base::hex({reinterpret_cast<const char*>(id.data()), id.size()}),
                      .value = static_cast<double>(from.took) / 1e9,
                      .time = static_cast<double>(milliseconds) / 1e3};
    }
    native_buckets native{.schema = base::native_histogram::schema,
                          .zero_threshold = base::native_histogram::zero_threshold,
                          .first = base::native_histogram::first};
    if (!native_.empty()) {
        native.zeros = native_[0];
        native.counts = std::span(native_).subspan(1);
    }
    to.histogram(labels, {.bounds = duration_bounds,
                          .counts = counts_,
                          .sum = static_cast<double>(nanoseconds_) / 1e9,
                          .exemplars = written,
                          .native = is_native_ ? &native : nullptr});
}

void route_metrics::figures::add(const http::route_counters& of) {
    for (std::size_t i = 0; i < responses.size(); ++i) responses[i] += of.responses[i];
    received += of.received;
    sent += of.sent;
    durations.add(of.durations);
    if (const auto* exemplars = of.exemplars.get()) durations.add(*exemplars);
}

// Route patterns begin with a slash, so no route is named "unmatched".
void route_metrics::add(const web::application& app, const http::metrics& counts) {
    for (const auto& route : app.measured_routes())
        routes_[{*route.text, std::string(web::method_name(route.verb))}].add(*route.counters);
    routes_[{"unmatched", "other"}].add(counts.unmatched);
}

void route_metrics::write(exposition& to) const {
    constexpr std::string_view classes[] = {"cancelled", "1xx", "2xx", "3xx", "4xx", "5xx"};
    const auto each = [&](std::string_view of, metric_type type, std::string_view help, auto write) {
        to.family(of, type, help);
        for (const auto& [about, f] : routes_) {
            const sample_label labels[] = {{"method", about.second}, {"route", about.first}, {"status", {}}};
            write(f, std::span(labels));
        }
    };
    each("http_server_requests_total", metric_type::counter,
         "Requests by route and status class; cancelled: the client disconnected before the response.",
         [&](const figures& f, std::span<const sample_label> labels) {
             for (std::size_t i = 0; i < f.responses.size(); ++i) {
                 const sample_label all[] = {labels[0], labels[1], {"status", classes[i]}};
                 // Series without requests are omitted, except 2xx and 5xx, from which alert rules compute ratios.
                 if (f.responses[i] || i == 2 || i == 5) to.sample(all, f.responses[i]);
             }
         });
    each("http_server_request_duration_seconds", metric_type::histogram,
         "Time from the arrival of the request's head to the end of the response, by route; without tunnels.",
         [&](const figures& f, std::span<const sample_label> labels) { f.durations.write(to, labels.first(2)); });
    each("http_server_request_body_bytes_total", metric_type::counter, "Bytes of request bodies, by route.",
         [&](const figures& f, std::span<const sample_label> labels) { to.sample(labels.first(2), f.received); });
    each("http_server_response_body_bytes_total", metric_type::counter, "Bytes of response bodies, by route.",
         [&](const figures& f, std::span<const sample_label> labels) { to.sample(labels.first(2), f.sent); });
}

}  // namespace apus::operations
