// SPDX-License-Identifier: Apache-2.0
#include "outbound/url.hpp"
#include "telemetry/core_exports.hpp"
#include "tracing/otlp.hpp"

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <unistd.h>

namespace apus::telemetry {
namespace {

void require(bool fine, const std::string& why) {
    if (!fine) throw std::invalid_argument("tracing_options: " + why);
}

/// Returns the first text that is not empty: the option, the environment variable, or the default.
std::string first_of(const std::string& option, const char* variable, const char* otherwise) {
    if (!option.empty()) return option;
    const char* const value = std::getenv(variable);
    return value && *value ? value : otherwise;
}

constexpr std::string_view traces_path = "/v1/traces", logs_path = "/v1/logs";

outbound::url url_of(const std::string& endpoint, std::string_view path, const tracing_options& options) {
    auto parsed = outbound::url::parse(endpoint);
    require(parsed.has_value(), "the endpoint `" + endpoint + "` is not an http URL");
    require(!parsed->secure || options.tls, "the endpoint `" + endpoint + "` requires the option `tls`");
    if (parsed->target == "/") parsed->target = path;
    return *std::move(parsed);
}

outbound::url traces_url(const tracing_options& options) {
    return url_of(first_of(options.endpoint, "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318"), traces_path,
                  options);
}

// Returns the URL of the receiver of traces, with the path of logs.
std::string logs_url(const tracing_options& options) {
    if (options.logs == log::level::off) return {};
    if (!options.logs_endpoint.empty()) return url_of(options.logs_endpoint, logs_path, options).text();
    auto made = traces_url(options);
    require(made.target.ends_with(traces_path), "the path of the endpoint requires the option `logs_endpoint`");
    made.target.replace(made.target.size() - traces_path.size(), traces_path.size(), logs_path);
    return made.text();
}

std::string resource_of(const tracing_options& options) {
    const std::string service = first_of(options.service, "OTEL_SERVICE_NAME", "unknown_service");
    std::vector<log::field> all = {{"service.name", service},
                                   {"telemetry.sdk.language", "cpp"},
                                   {"telemetry.sdk.name", "apus"},
                                   {"telemetry.sdk.version", APUS_VERSION},
                                   {"process.pid", static_cast<std::int64_t>(getpid())}};
    for (const auto& [name, text] : options.resource) all.emplace_back(name, text);
    return tracing::encode_resource(all);
}

class exporter_setup final : public tracing::setup {
public:
    explicit exporter_setup(export_options options) : options_(std::move(options)) {}
    std::unique_ptr<tracing::core_tracing> start(runtime::loop& on) override {
        return std::make_unique<core_exports>(on, options_, losses);
    }
    bool middleware() const noexcept override { return options_.recording.middleware; }

private:
    const export_options options_;
};

}  // namespace

export_options checked(const tracing_options& options) {
    constexpr std::size_t least_queue = 64 * 1024;
    require(options.sample >= 0 && options.sample <= 1, "`sample` must be from 0 to 1");
    require(options.keep_slower >= duration(), "`keep_slower` must not be negative");
    require(options.queue >= least_queue, "`queue` must be at least 65,536 bytes");
    require(options.batch >= 1, "`batch` must be at least 1");
    require(options.interval > duration() && options.timeout > duration(), "`interval` and `timeout` must be positive");
    require(options.flush >= duration(), "`flush` must not be negative");
    client_request probe("POST", {});
    for (const auto& [name, text] : options.headers) probe.header(name, text);  // throws for invalid fields
    return {.recording = {.sample = options.sample,
                          .keep_errors = options.keep_errors,
                          .keep_slower = static_cast<std::uint64_t>(options.keep_slower.nanoseconds()),
                          .continue_traces = options.continue_traces,
                          .pass_baggage = options.pass_baggage,
                          .middleware = options.middleware,
                          .queue = options.queue},
            .url = traces_url(options).text(),
            .logs_url = logs_url(options),
            .logs = options.logs,
            .headers = options.headers,
            .resource = resource_of(options),
            .tls = options.tls,
            .batch = options.batch,
            .interval = options.interval,
            .timeout = options.timeout,
            .flush = options.flush};
}

}  // namespace apus::telemetry

namespace apus {

tracer::tracer(const tracing_options& options) : parts_(new telemetry::exporter_setup(telemetry::checked(options))) {}

}  // namespace apus
