// SPDX-License-Identifier: Apache-2.0
#include "outbound/url.hpp"
#include "telemetry/core_exports.hpp"
#include "telemetry/environment.hpp"
#include "tracing/otlp.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

namespace apus::telemetry {
namespace {

void require(bool fine, const std::string& why) {
    if (!fine) throw std::invalid_argument("tracing_options: " + why);
}

constexpr std::string_view traces_path = "/v1/traces", logs_path = "/v1/logs";

outbound::url url_of(std::string_view endpoint, const tracing_options& options) {
    auto parsed = outbound::url::parse(endpoint);
    require(parsed.has_value(), "the endpoint `" + std::string(endpoint) + "` is not an http URL");
    require(!parsed->secure || options.tls, "the endpoint `" + std::string(endpoint) + "` requires the option `tls`");
    return *std::move(parsed);
}

// Returns the URL of an option of the program: only a URL without a path needs the path of the signal.
outbound::url url_of_option(const std::string& endpoint, std::string_view path, const tracing_options& options) {
    auto made = url_of(endpoint, options);
    if (made.target == "/") made.target = path;
    return made;
}

// Returns the URL of the environment, for a program without the option `endpoint`. As OpenTelemetry specifies, the path
// of the signal is appended to the base URL, but not to the URL of one signal.
outbound::url url_of_environment(const char* of_signal, std::string_view path, const tracing_options& options) {
    if (const auto whole = variable(of_signal); !whole.empty()) return url_of(whole, options);
    const auto base = variable("OTEL_EXPORTER_OTLP_ENDPOINT");
    auto made = url_of(base.empty() ? "http://127.0.0.1:4318" : base, options);
    require(!made.target.contains('?'), "OTEL_EXPORTER_OTLP_ENDPOINT must not have a query");
    if (made.target.ends_with('/')) made.target.pop_back();
    made.target += path;
    return made;
}

outbound::url traces_url(const tracing_options& options) {
    if (!options.endpoint.empty()) return url_of_option(options.endpoint, traces_path, options);
    return url_of_environment("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", traces_path, options);
}

// Returns the URL of the receiver of traces, with the path of logs, unless there is a URL for logs.
std::string logs_url(const tracing_options& options) {
    if (options.logs == log::level::off) return {};
    if (!options.logs_endpoint.empty()) return url_of_option(options.logs_endpoint, logs_path, options).text();
    if (options.endpoint.empty())
        return url_of_environment("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", logs_path, options).text();
    auto made = traces_url(options);
    require(made.target.ends_with(traces_path), "the path of the endpoint requires the option `logs_endpoint`");
    made.target.replace(made.target.size() - traces_path.size(), traces_path.size(), logs_path);
    return made.text();
}

std::string service_of(const tracing_options& options, const std::vector<trace_text>& resource) {
    if (!options.service.empty()) return options.service;
    if (const auto name = variable("OTEL_SERVICE_NAME"); !name.empty()) return std::string(name);
    const auto named = std::ranges::find(resource, "service.name", &trace_text::name);
    return named != resource.end() && !named->text.empty() ? named->text : "unknown_service";
}

std::string resource_of(const tracing_options& options) {
    const auto resource = with_variable(options.resource, "OTEL_RESOURCE_ATTRIBUTES", false);
    const std::string service = service_of(options, resource);
    std::vector<log::field> all = {{"service.name", service},
                                   {"telemetry.sdk.language", "cpp"},
                                   {"telemetry.sdk.name", "apus"},
                                   {"telemetry.sdk.version", APUS_VERSION},
                                   {"process.pid", static_cast<std::int64_t>(getpid())}};
    for (const auto& [name, text] : resource)
        if (name != "service.name") all.emplace_back(name, text);
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
    auto headers = with_variable(options.headers, "OTEL_EXPORTER_OTLP_HEADERS", true);
    client_request probe("POST", {});
    for (const auto& [name, text] : headers) probe.header(name, text);  // throws for invalid fields
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
            .headers = std::move(headers),
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
