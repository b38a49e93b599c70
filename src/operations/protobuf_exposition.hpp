// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operations/metric_sample.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::operations {

/// Writes metrics as messages `io.prometheus.client.MetricFamily`, each after its size.
/// The only format of Prometheus with native histograms. Families without samples are omitted.
class protobuf_exposition {
public:
    /// Begins a family. The name of a counter ends in `_total`.
    void family(std::string_view name, metric_type, std::string_view help);
    void sample(sample_labels, double value);
    /// With native buckets, the number of values is the sum of their counts.
    /// The counts of a running core are not read at once. So the fixed buckets are reduced to this number if they have
    /// more values, and the last one has all further values.
    void histogram(sample_labels, const histogram_sample&);
    std::string finish() &&;

private:
    void begin(sample_labels);
    void end(std::uint32_t field);
    void fixed_buckets(const histogram_sample&, std::uint64_t values);
    void native(const native_buckets&);
    void exemplar(const sample_exemplar&);
    void end_family();

    metric_type type_ = metric_type::counter;
    bool has_samples_ = false;
    std::string text_, family_;  // complete families; the current one
    // Parts of the current sample, as strings that keep their memory.
    std::string metric_, value_, part_, inner_, innermost_;
};

}  // namespace apus::operations
