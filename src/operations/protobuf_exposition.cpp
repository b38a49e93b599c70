// SPDX-License-Identifier: Apache-2.0
#include "operations/protobuf_exposition.hpp"

#include "base/utf8.hpp"
#include "codec/protobuf/writer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

// Numbers of fields are those of metrics.proto in github.com/prometheus/client_model.

namespace apus::operations {
namespace {

namespace protobuf = codec::protobuf;

enum : std::uint32_t {
    family_name = 1,
    family_help = 2,
    family_type = 3,
    family_metric = 4
};
enum : std::uint32_t {
    metric_label = 1,
    metric_gauge = 2,
    metric_counter = 3,
    metric_histogram = 7
};
enum : std::uint32_t {
    label_name = 1,
    label_value = 2
};
enum : std::uint32_t {
    number_value = 1
};  // of Counter and Gauge
enum : std::uint32_t {
    bucket_count = 1,
    bucket_bound = 2,
    bucket_exemplar = 3
};
enum : std::uint32_t {
    exemplar_label = 1,
    exemplar_value = 2,
    exemplar_time = 3
};
enum : std::uint32_t {
    time_seconds = 1,
    time_nanoseconds = 2
};
enum : std::uint32_t {
    span_offset = 1,
    span_length = 2
};
enum : std::uint32_t {
    histogram_count = 1,
    histogram_sum = 2,
    histogram_bucket = 3,
    histogram_schema = 5,
    histogram_zero_threshold = 6,
    histogram_zero_count = 7,
    histogram_positive_span = 12,
    histogram_positive_delta = 13
};

std::uint32_t type_number(metric_type type) noexcept {
    constexpr std::uint32_t histogram = 4;
    return type == metric_type::counter ? 0 : type == metric_type::gauge ? 1 : histogram;
}

// Appends a text, in which U+FFFD replaces invalid UTF-8.
void append_text(std::string& to, std::uint32_t field, std::string_view text) {
    if (base::is_utf8(text)) return protobuf::append_bytes(to, field, text);
    protobuf::append_bytes(to, field, base::repaired_utf8(text));
}

void append_label(std::string& to, std::uint32_t field, std::string& part, const sample_label& label) {
    part.clear();
    append_text(part, label_name, label.name);
    append_text(part, label_value, label.value);
    protobuf::append_bytes(to, field, part);
}

}  // namespace

void protobuf_exposition::family(std::string_view name, metric_type type, std::string_view help) {
    end_family();
    type_ = type;
    append_text(family_, family_name, name);
    append_text(family_, family_help, help);
    protobuf::append_unsigned(family_, family_type, type_number(type));
}

void protobuf_exposition::end_family() {
    if (has_samples_) {
        protobuf::append_varint(text_, family_.size());
        text_ += family_;
    }
    has_samples_ = false;
    family_.clear();
}

void protobuf_exposition::begin(sample_labels labels) {
    metric_.clear();
    value_.clear();
    for (const auto& label : labels) append_label(metric_, metric_label, part_, label);
}

void protobuf_exposition::end(std::uint32_t field) {
    protobuf::append_bytes(metric_, field, value_);
    protobuf::append_bytes(family_, family_metric, metric_);
    has_samples_ = true;
}

void protobuf_exposition::sample(sample_labels labels, double value) {
    begin(labels);
    protobuf::append_double(value_, number_value, value);
    end(type_ == metric_type::counter ? metric_counter : metric_gauge);
}

void protobuf_exposition::exemplar(const sample_exemplar& of) {
    constexpr double nanoseconds = 1e9;
    const double seconds = std::floor(of.time);
    inner_.clear();
    append_label(inner_, exemplar_label, innermost_, {"trace_id", of.trace});
    protobuf::append_double(inner_, exemplar_value, of.value);
    innermost_.clear();
    protobuf::append_signed(innermost_, time_seconds, static_cast<std::int64_t>(seconds));
    protobuf::append_signed(innermost_, time_nanoseconds, static_cast<std::int64_t>((of.time - seconds) * nanoseconds));
    protobuf::append_bytes(inner_, exemplar_time, innermost_);
    protobuf::append_bytes(part_, bucket_exemplar, inner_);
}

void protobuf_exposition::fixed_buckets(const histogram_sample& of, std::uint64_t values) {
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < of.counts.size(); ++i) {
        below += of.counts[i];
        const bool last = i >= of.bounds.size();
        part_.clear();
        protobuf::append_unsigned(part_, bucket_count, last ? values : std::min(below, values));
        protobuf::append_double(part_, bucket_bound, last ? INFINITY : of.bounds[i]);
        if (i < of.exemplars.size() && !of.exemplars[i].trace.empty()) exemplar(of.exemplars[i]);
        protobuf::append_bytes(value_, histogram_bucket, part_);
    }
}

// Buckets are written as spans of consecutive buckets, with the difference of each count to the previous one. A short
// gap takes less space as empty buckets than as a new span.
void protobuf_exposition::native(const native_buckets& of) {
    constexpr std::size_t short_gap = 2;
    protobuf::append_unsigned(value_, histogram_schema, protobuf::zigzag(of.schema));
    protobuf::append_double(value_, histogram_zero_threshold, of.zero_threshold);
    protobuf::append_unsigned(value_, histogram_zero_count, of.zeros);
    const auto& counts = of.counts;
    const auto next_used = [&](std::size_t at) {
        while (at < counts.size() && counts[at] == 0) ++at;
        return at;
    };
    std::string& deltas = inner_;
    deltas.clear();
    std::int64_t offset = of.first, before = 0;
    for (std::size_t at = 0, begin = next_used(0); begin < counts.size();) {
        std::size_t end = begin + 1, next = next_used(end);
        for (; next < counts.size() && next - end <= short_gap; next = next_used(end)) end = next + 1;
        part_.clear();
        protobuf::append_unsigned(part_, span_offset, protobuf::zigzag(offset + static_cast<std::int64_t>(begin - at)));
        protobuf::append_unsigned(part_, span_length, end - begin);
        protobuf::append_bytes(value_, histogram_positive_span, part_);
        for (std::size_t i = begin; i < end; ++i) {
            const auto count = static_cast<std::int64_t>(counts[i]);
            protobuf::append_varint(deltas, protobuf::zigzag(count - before));
            before = count;
        }
        offset = 0;
        at = end;
        begin = next;
    }
    if (!deltas.empty()) protobuf::append_bytes(value_, histogram_positive_delta, deltas);
}

void protobuf_exposition::histogram(sample_labels labels, const histogram_sample& of) {
    const auto& counted = of.native ? of.native->counts : of.counts;
    const std::uint64_t zeros = of.native ? of.native->zeros : 0;
    const std::uint64_t values = std::accumulate(counted.begin(), counted.end(), zeros);
    begin(labels);
    protobuf::append_unsigned(value_, histogram_count, values);
    protobuf::append_double(value_, histogram_sum, of.sum);
    fixed_buckets(of, values);
    if (of.native) native(*of.native);
    end(metric_histogram);
}

std::string protobuf_exposition::finish() && {
    end_family();
    return std::move(text_);
}

}  // namespace apus::operations
