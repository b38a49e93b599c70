// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/task.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace apus::web {

/// Subject of a report.
enum class report_kind : std::uint8_t {
    live,
    ready,
    metrics
};

enum class report_format : std::uint8_t {
    text,         ///< For health: a line per check. For metrics: the text format of Prometheus.
    json,         ///< Health only.
    openmetrics,  ///< Metrics only.
    protobuf      ///< Metrics only: the protobuf format of Prometheus.
};

/// A report of the process about itself.
struct process_report {
    int status = 200;
    std::shared_ptr<const std::string> body;  ///< Shared by reports at the same time.
};

/// Reports of the process that serves an app, for routes of the app.
class process_reporter {
public:
    /// Call it on the thread of a core, or of the administration.
    virtual task<process_report> report(report_kind, report_format) = 0;

protected:
    ~process_reporter() = default;
};

}  // namespace apus::web
