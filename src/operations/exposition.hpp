// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace apus::operations {

/// Type of a metric, named as in the text formats.
enum class metric_type : std::uint8_t {
    counter,
    gauge,
    histogram
};

/// A label of a sample.
/// The value may be any bytes: it is escaped, and invalid UTF-8 becomes U+FFFD.
struct sample_label {
    std::string_view name, value;
};
using sample_labels = std::span<const sample_label>;

/// A recorded request in a bucket of a histogram.
struct sample_exemplar {
    std::string trace;  ///< Hexadecimal trace id; empty: no exemplar.
    double value = 0;   ///< Within the bucket.
    double time = 0;    ///< Seconds since 1970-01-01.
};

/// Writes metrics in the text format of Prometheus 0.0.4, or in OpenMetrics 1.0.
/// Begin a family, then write its samples. Begin each family only once.
class exposition {
public:
    explicit exposition(bool openmetrics) : openmetrics_(openmetrics) {}

    /// Begins a family. The name of a counter ends in `_total`.
    void family(std::string_view name, metric_type, std::string_view help);

    void sample(sample_labels, std::uint64_t value);
    void sample(sample_labels, double value);
    void sample(std::uint64_t value) { sample({}, value); }

    /// Writes a histogram. `counts` has one more element than `bounds`, and is not cumulative.
    /// `exemplars`: empty, or one per bucket. Only OpenMetrics has exemplars.
    void histogram(sample_labels, std::span<const double> bounds, std::span<const std::uint64_t> counts, double sum,
                   std::span<const sample_exemplar> exemplars = {});

    /// Returns the document.
    std::string finish() &&;

private:
    void begin(std::string_view suffix, sample_labels, std::string_view bound = {});
    void label(std::string_view name, std::string_view value, bool first);
    void end(double value);
    void end(std::uint64_t value);
    void number(double value);
    void exemplar(const sample_exemplar&);

    const bool openmetrics_;
    std::string name_;  // name of the current family
    std::string text_;
};

}  // namespace apus::operations
