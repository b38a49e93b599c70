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

/// Buckets of a native histogram for positive values.
/// Bucket `i` has the upper bound 2^(i / 2^schema), inclusive.
struct native_buckets {
    int schema = 0;
    double zero_threshold = 0;  ///< Values up to this are counted in `zeros`. Greater than 0.
    std::uint64_t zeros = 0;
    int first = 0;  ///< Index of the bucket `counts[0]`.
    std::span<const std::uint64_t> counts = {};
};

/// A histogram. `counts` has one more element than `bounds`, and is not cumulative.
struct histogram_sample {
    std::span<const double> bounds;
    std::span<const std::uint64_t> counts;
    double sum = 0;
    std::span<const sample_exemplar> exemplars = {};  ///< Empty, or one per bucket. Not in the text format 0.0.4.
    const native_buckets* native = nullptr;           ///< Only in the protobuf format.
};

}  // namespace apus::operations
