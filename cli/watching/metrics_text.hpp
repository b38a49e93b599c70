// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::cli::watching {

/// A sample in the text format of Prometheus.
struct sample {
    std::string name;
    std::vector<std::pair<std::string, std::string>> labels;
    double value = 0;

    /// Returns the value of a label; an empty text if there is none.
    std::string_view label(std::string_view name) const noexcept;
};

/// Parses a document in the text format of Prometheus 0.0.4. Comments are skipped.
/// Returns an empty optional if a line is malformed.
std::optional<std::vector<sample>> parse_metrics(std::string_view text);

}  // namespace apus::cli::watching
