// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/accept.hpp"
#include "http/list_fields.hpp"
#include "web/application.hpp"

#include <apus/app.hpp>
#include <apus/metrics.hpp>
#include <apus/negotiation.hpp>
#include <apus/stream.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace apus {
namespace {

using web::report_format;
using web::report_kind;
using slot = std::shared_ptr<web::process_reporter*>;

// Larger reports are sent from the text that all their responses share, so that many scrapes of a long document at the
// same time do not use up the memory.
constexpr std::size_t copied_size = std::size_t(32) << 10U;

using shared_text = std::shared_ptr<const std::string>;

task<> write_pieces(const std::string& text, writer& out) {
    for (std::size_t at = 0; at < text.size(); at += copied_size)
        co_await out.write(std::string_view(text).substr(at, copied_size));
}

detail::producer producer_of(shared_text text) {
    const std::size_t size = text->size();
    return {new shared_text(std::move(text)),
            [](void* self, request&, detail::writer_core& out) {
                return write_pieces(**static_cast<shared_text*>(self), out);
            },
            [](void* self) { delete static_cast<shared_text*>(self); }, size};
}

task<response> answer(slot reporter, report_kind kind, report_format format, std::string_view type) {
    if (!*reporter) co_await fail(503, "the app is not served by apus::serve").expose();
    auto report = co_await (*reporter)->report(kind, format);
    response res(report.status);
    if (report.body->size() <= copied_size) res.body(*report.body, type);
    else res.produce(producer_of(std::move(report.body)), type);
    res.header("cache-control", "no-store");
    detail::vary_by_accept(res);
    co_return res;
}

task<response> answer_health(slot reporter, report_kind kind, request& req) {
    constexpr std::string_view types[] = {"text/plain", "application/json"};
    response refused;
    const std::size_t best = detail::choose_type(req, types, std::size(types), refused);
    // A probe that accepts neither format gets text: probes need only the status.
    if (best == 1) co_return co_await answer(reporter, kind, report_format::json, "application/json");
    co_return co_await answer(reporter, kind, report_format::text, "text/plain; charset=utf-8");
}

/// A format of `/metrics`.
struct metrics_type {
    report_format format;
    std::string_view essence, content_type;
};
constexpr metrics_type text_type = {report_format::text, "text/plain", "text/plain; version=0.0.4; charset=utf-8"};
constexpr metrics_type other_types[] = {
    {report_format::protobuf, "application/vnd.google.protobuf",
     "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"},
    {report_format::openmetrics, "application/openmetrics-text",
     "application/openmetrics-text; version=1.0.0; charset=utf-8"},
};
// Parameters with which scrapers may ask for these types. Names of metrics are ASCII, so no escaping changes them.
constexpr std::string_view accepted_parameters =
    ";proto=io.prometheus.client.MetricFamily;encoding=delimited;version=0.0.1;version=0.0.4;version=1.0.0"
    ";charset=utf-8;escaping=allow-utf-8;escaping=underscores;escaping=dots;escaping=values";

// Returns the format with the highest weight. Text is the default, so the others must be named, not only matched by a
// wildcard; if a named one has the same weight as text, it is preferred, as by Prometheus.
const metrics_type& choose_metrics_type(const request& req) {
    const std::string accept = http::whole_field(req, "accept");
    const auto weight = [&](const metrics_type& of) {
        return codec::fields::media_weight(accept, std::string(of.essence).append(accepted_parameters)).value_or(0);
    };
    const metrics_type* best = &text_type;
    unsigned most = std::max(weight(text_type), 1U) - 1;
    for (const auto& each : other_types) {
        const unsigned offered = accept.contains(each.essence) ? weight(each) : 0;
        if (offered > most) best = &each, most = offered;
    }
    return *best;
}

task<response> answer_metrics(slot reporter, request& req) {
    const auto& type = choose_metrics_type(req);
    return answer(std::move(reporter), report_kind::metrics, type.format, type.content_type);
}

}  // namespace

app health_endpoints() {
    auto reporter = std::make_shared<web::process_reporter*>(nullptr);
    app made;
    for (const auto& [path, kind] : {std::pair{"/livez", report_kind::live}, {"/readyz", report_kind::ready}})
        made.get(runtime_route(path), [reporter, kind](request& req) { return answer_health(reporter, kind, req); })
            .hidden();
    web::application::use_reporter(made, std::move(reporter));
    return made;
}

app metrics_endpoint() {
    auto reporter = std::make_shared<web::process_reporter*>(nullptr);
    app made;
    made.get("/metrics", [reporter](request& req) { return answer_metrics(reporter, req); }).hidden();
    web::application::use_reporter(made, std::move(reporter));
    return made;
}

}  // namespace apus
