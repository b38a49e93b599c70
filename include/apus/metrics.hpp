// SPDX-License-Identifier: Apache-2.0
#pragma once

// Metrics of the program: counters, gauges and histograms. The server of `serve_options::admin` answers `/metrics` with
// these metrics and its own, for Prometheus.

#include <apus/duration.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace apus {

class app;
class router;

namespace metrics {

/// A label with all values that it can have.
/// Any other value is counted as `other`, so that clients cannot create series.
struct label {
    std::string_view name;                 ///< Letters, digits and `_`. Must not begin with a digit or `__`.
    std::vector<std::string_view> values;  ///< UTF-8, without duplicates.
};
using labels = std::vector<label>;

/// How the values of a gauge on several cores are combined.
/// `max` and `min` ignore cores that have not set the gauge.
enum class combine : std::uint8_t {
    sum,
    max,
    min
};

namespace detail {

struct family;

enum class kind : std::uint8_t {
    counter,
    gauge,
    histogram
};

struct definition {
    kind of;
    std::string_view name, help;
    const metrics::labels& by;
    metrics::combine cores = metrics::combine::sum;
    std::span<const double> bounds = {};
};

/// A series of a family. Only one core writes its cells.
struct series {
    const family* of;
    std::uint64_t* cells;

    series with(const std::string_view* values, std::size_t count) const;
};

/// Adds metrics to a router.
class registration {
public:
    static series add(router&, const definition&);
};

inline std::uint64_t load(const std::uint64_t& cell) noexcept { return __atomic_load_n(&cell, __ATOMIC_RELAXED); }
inline void store(std::uint64_t& cell, std::uint64_t value) noexcept {
    __atomic_store_n(&cell, value, __ATOMIC_RELAXED);
}
inline void add_real(std::uint64_t& cell, double more) noexcept {
    const double before = std::bit_cast<double>(load(cell));  // NaN: a gauge that this core has not set
    store(cell, std::bit_cast<std::uint64_t>(before == before ? before + more : more));
}

void observe(const series&, double value) noexcept;

}  // namespace detail

/// A number that only increases.
/// `const apus::metrics::counter orders(app, "shop_orders_total", "Accepted orders");`
///
/// Metrics are created in `make_app`, once per core; `/metrics` reports the sum over all cores. Handlers capture
/// metrics by value; a copy refers to the same numbers. A metric is valid as long as the app, and belongs to the app's
/// core: increments on other threads may be lost. Changing a metric takes a few instructions and no lock.
///
/// Names consist of letters, digits, `_` and `:`, and do not begin with a digit. The name of a counter ends in
/// `_total`. A unit such as `_seconds` or `_bytes` comes at the end, before `_total`. The prefixes `apus_`,
/// `http_server_` and `process_` are reserved. Creating a metric again with the same definition returns the same
/// metric; with other values of the same labels, it adds series for these values. Invalid definitions, and more than
/// 10,000 series of one metric, throw `std::invalid_argument`.
class counter {
public:
    counter(router& in, std::string_view name, std::string_view help, const labels& by = {})
        : series_(detail::registration::add(in, {detail::kind::counter, name, help, by})) {}

    /// Adds `n`.
    void add(std::uint64_t n = 1) const noexcept { detail::store(*series_.cells, detail::load(*series_.cells) + n); }

    /// Returns the counter for these values of the labels, in their order: `paid.with("card").add()`.
    /// Throws `std::invalid_argument` if the number of values is wrong. Without `with`, all values are `other`.
    template <class... V>
    counter with(const V&... values) const {
        const std::string_view all[] = {values..., {}};
        return counter(series_.with(all, sizeof...(V)));
    }

private:
    explicit counter(detail::series s) noexcept : series_(s) {}
    detail::series series_;
};

/// A number that can increase and decrease.
/// `const apus::metrics::gauge waiting(app, "shop_waiting", "Customers in the queue");` See `counter` for names and
/// lifetime.
class gauge {
public:
    gauge(router& in, std::string_view name, std::string_view help, const labels& by = {}, combine cores = combine::sum)
        : series_(detail::registration::add(in, {detail::kind::gauge, name, help, by, cores})) {}

    void set(double value) const noexcept {
        detail::store(*series_.cells, std::bit_cast<std::uint64_t>(value));
    }  ///< Sets the value of this core.
    void add(double n = 1) const noexcept { detail::add_real(*series_.cells, n); }        ///< Adds `n`.
    void subtract(double n = 1) const noexcept { detail::add_real(*series_.cells, -n); }  ///< Subtracts `n`.

    /// See `counter::with`.
    template <class... V>
    gauge with(const V&... values) const {
        const std::string_view all[] = {values..., {}};
        return gauge(series_.with(all, sizeof...(V)));
    }

private:
    explicit gauge(detail::series s) noexcept : series_(s) {}
    detail::series series_;
};

/// Bounds for durations in seconds, from 100 us to 10 s.
inline constexpr double latency_bounds[] = {.0001, .00025, .0005, .001, .0025, .005, .01, .025,
                                            .05,   .1,     .25,   .5,   1,     2.5,  5,   10};

/// The distribution of observed values.
/// `const apus::metrics::histogram cost(app, "shop_order_euros", "Orders by value", bounds);` Counts observations per
/// bucket, and sums the observed values. `bounds` are the upper bounds of the buckets. At most 64 bounds, finite and
/// ascending. See `counter` for names and lifetime.
class histogram {
public:
    histogram(router& in, std::string_view name, std::string_view help, std::span<const double> bounds = latency_bounds,
              const labels& by = {})
        : series_(detail::registration::add(in, {detail::kind::histogram, name, help, by, combine::sum, bounds})) {}

    void observe(double value) const noexcept { detail::observe(series_, value); }  ///< Counts a value.
    void observe(duration d) const noexcept { observe(static_cast<double>(d.nanoseconds()) / 1e9); }  ///< In seconds.

    /// See `counter::with`.
    template <class... V>
    histogram with(const V&... values) const {
        const std::string_view all[] = {values..., {}};
        return histogram(series_.with(all, sizeof...(V)));
    }

private:
    explicit histogram(detail::series s) noexcept : series_(s) {}
    detail::series series_;
};

}  // namespace metrics

/// Returns an app with the route `/metrics`, to mount into a public app.
/// `app.mount("/internal", apus::metrics_endpoint())`. Without this app, only the server of `serve_options::admin`
/// answers `/metrics`.
app metrics_endpoint();

}  // namespace apus
