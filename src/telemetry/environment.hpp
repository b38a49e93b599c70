// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/tracing.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::telemetry {

/// Returns the value of an environment variable, or an empty text.
std::string_view variable(const char* name) noexcept;

/// Parses `name=text,name=text`, as in OTEL_EXPORTER_OTLP_HEADERS and OTEL_RESOURCE_ATTRIBUTES.
/// Texts are percent-decoded. Empty if the list is invalid.
std::optional<std::vector<trace_text>> parse_pairs(std::string_view list);

/// Returns the given pairs, and pairs of this environment variable whose names are not among them.
/// Names are compared without regard to case if `fields` is true. An invalid variable throws `std::invalid_argument`.
std::vector<trace_text> with_variable(const std::vector<trace_text>& given, const char* name, bool fields);

}  // namespace apus::telemetry
