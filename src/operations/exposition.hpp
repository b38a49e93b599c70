// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operations/metric_sample.hpp"
#include "operations/protobuf_exposition.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::operations {

/// Formats of `/metrics`.
enum class exposition_format : std::uint8_t {
    text,         ///< Prometheus 0.0.4.
    openmetrics,  ///< OpenMetrics 1.0.
    protobuf      ///< Delimited messages `io.prometheus.client.MetricFamily`.
};

/// Writes metrics in one of the formats.
/// Begin a family, then write its samples. Begin each family only once.
class exposition {
public:
    explicit exposition(exposition_format in)
        : openmetrics_(in == exposition_format::openmetrics), is_protobuf_(in == exposition_format::protobuf) {}

    /// Begins a family. The name of a counter ends in `_total`.
    void family(std::string_view name, metric_type, std::string_view help);

    void sample(sample_labels, std::uint64_t value);
    void sample(sample_labels, double value);
    void sample(std::uint64_t value) { sample({}, value); }

    void histogram(sample_labels, const histogram_sample&);

    /// Returns the document.
    std::string finish() &&;

private:
    void begin(std::string_view suffix, sample_labels, std::string_view bound = {});
    void label(std::string_view name, std::string_view value, bool first);
    void end(double value);
    void end(std::uint64_t value);
    void number(double value);
    void exemplar(const sample_exemplar&);

    const bool openmetrics_, is_protobuf_;
    protobuf_exposition protobuf_;  // used only in this format
    std::string name_;              // name of the current family
    std::string text_;
};

}  // namespace apus::operations
