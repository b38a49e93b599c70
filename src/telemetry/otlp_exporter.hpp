// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"
#include "tracing/export_queue.hpp"
#include "tracing/random.hpp"
#include "tracing/recorder.hpp"

#include <apus/client.hpp>
#include <apus/tracing.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace apus::telemetry {

/// Configuration of the exporters of all cores.
struct export_options {
    tracing::recording_options recording;
    std::string url;
    std::string logs_url;
    log::level logs;  ///< Minimum level of exported log records; `off`: none.
    std::vector<trace_text> headers;
    std::string resource;  ///< An encoded OTLP `Resource` message.
    client_tls tls;
    std::size_t batch;
    duration interval, timeout, flush;
};

/// Throws `std::invalid_argument` for invalid options.
export_options checked(const tracing_options&);

/// The words of log records about an exporter.
struct exporter_words {
    const char* failing;     ///< When exports begin to fail.
    const char* succeeding;  ///< When they succeed again.
    const char* rejecting;   ///< When the receiver begins to reject a part of the items.
};

/// Sends the items of a queue to an OTLP receiver, in the background of the event loop of its core.
/// At most one export is in flight, so a slow receiver fills only the queue. An export that fails because the receiver
/// is unreachable or overloaded (429, 502, 503, 504) is repeated: after the time of Retry-After, or else after one
/// second. Without Retry-After, the delay doubles with each failure.
class otlp_exporter final : tracing::queue_listener {
public:
    /// All arguments must outlive the exporter.
    otlp_exporter(runtime::loop&, const export_options&, const std::string& url, tracing::export_queue&,
                  const exporter_words&);
    otlp_exporter(const otlp_exporter&) = delete;
    otlp_exporter& operator=(const otlp_exporter&) = delete;
    ~otlp_exporter();

    /// See `tracing::core_tracing`.
    void flush(duration longest, void (*done)(void*) noexcept, void* with) noexcept;
    void abort() noexcept;

private:
    static constexpr std::size_t batch_bytes = 1024 * 1024;
    static constexpr unsigned max_attempts = 5;

    enum class verdict {
        accepted,
        rejected,
        repeat
    };
    struct outcome {
        verdict is;
        duration pause;  // wait before the export is repeated; only for `repeat`
    };
    struct alarm : runtime::timer {
        otlp_exporter* of;
    };
    struct ending : detail::completion {
        otlp_exporter* of;
    };

    struct settling : runtime::deferred {
        otlp_exporter* of;
    };

    void item_queued() noexcept override;
    void start() noexcept;
    void settle() noexcept;
    void stop_sending() noexcept;
    void finish_flush() noexcept;
    task<> send_all();
    task<> send_batch(std::vector<std::string> items);
    task<outcome> send_once(const std::string& body, unsigned attempt);
    void accept(std::string_view response);
    outcome judge(int status, std::string_view retry_after, std::string_view why, unsigned attempt);

    runtime::loop& loop_;
    const export_options& options_;
    const std::string& url_;
    tracing::export_queue& queue_;
    const exporter_words& words_;
    tracing::random random_;
    client http_;
    alarm wake_, flush_end_;
    ending ended_;
    settling settle_;
    task<>::handle sending_;
    bool starting_ = false;
    bool pausing_ = false;    // waiting before an export is repeated
    bool failing_ = false;    // the last export failed, and the failure was logged
    bool rejecting_ = false;  // the receiver has rejected items of the last export, which was logged
    std::size_t in_flight_ = 0;
    std::uint64_t flush_due_ = 0;  // 0: not flushing
    bool aborted_ = false;
    void (*flushed_)(void*) noexcept = nullptr;
    void* flushed_with_ = nullptr;
};

}  // namespace apus::telemetry
