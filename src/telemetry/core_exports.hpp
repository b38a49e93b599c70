// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "telemetry/otlp_exporter.hpp"
#include "tracing/log_recorder.hpp"
#include "tracing/setup.hpp"

#include <memory>
#include <optional>

namespace apus::telemetry {

/// The log records of one core, and their exporter.
class log_export final : tracing::log_waker {
public:
    log_export(runtime::loop&, const export_options&);  ///< Both arguments must outlive this object.
    log_export(const log_export&) = delete;
    log_export& operator=(const log_export&) = delete;
    ~log_export();

    tracing::log_recorder& records() noexcept { return recorder_; }
    otlp_exporter& sender() noexcept { return exporter_; }
    void collect() noexcept;  ///< Takes the records of threads that are not cores.

private:
    struct posted_wake;
    struct retire_wake {
        void operator()(posted_wake*) const noexcept;
    };
    struct retry_timer : runtime::timer {
        log_export* of;
    };
    void wake() noexcept override;

    runtime::loop& loop_;
    std::unique_ptr<posted_wake, retire_wake> wake_;  // destroyed last: other threads may wake until then
    retry_timer retry_;
    tracing::log_recorder recorder_;
    otlp_exporter exporter_;
};

/// Recording and export of spans and log records of one core.
class core_exports final : public tracing::core_tracing {
public:
    /// All arguments must outlive this object.
    /// The destructor adds the items that failed since `flush` or `abort` to `losses`.
    core_exports(runtime::loop&, const export_options&, tracing::export_losses& losses);
    core_exports(const core_exports&) = delete;
    core_exports& operator=(const core_exports&) = delete;
    ~core_exports() override;

    tracing::recorder& records() noexcept override { return recorder_; }
    tracing::log_recorder* logs() noexcept override { return logs_ ? &logs_->records() : nullptr; }
    void flush(duration longest, void (*done)(void*) noexcept, void* with) noexcept override;
    void abort() noexcept override;
    duration flush_limit() const noexcept override { return options_.flush; }

private:
    void flushed() noexcept;
    void begin_to_end() noexcept;

    const export_options& options_;
    tracing::export_losses& losses_;
    bool ending_ = false;
    std::uint64_t spans_failed_ = 0, logs_failed_ = 0;  // before the core began to end
    tracing::recorder recorder_;
    otlp_exporter spans_;
    std::optional<log_export> logs_;
    unsigned flushing_ = 0;  // exporters that have not finished `flush`
    void (*done_)(void*) noexcept = nullptr;
    void* done_with_ = nullptr;
};

}  // namespace apus::telemetry
