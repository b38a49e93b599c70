// SPDX-License-Identifier: Apache-2.0
#include "http/list_fields.hpp"
#include "web/application.hpp"

#include <apus/app.hpp>
#include <apus/metrics.hpp>
#include <apus/negotiation.hpp>
#include <apus/stream.hpp>

#include <memory>

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

// Whether a scraper accepts OpenMetrics. Scrapers send different versions and weights, so the type counts as accepted
// unless its weight is 0.
bool accepts_openmetrics(const request& req) {
    constexpr std::string_view type = "application/openmetrics-text";
    const std::string accept = http::whole_field(req, "accept");
    const auto at = accept.find(type);
    if (at == accept.npos) return false;
    const std::string_view parameters = std::string_view(accept).substr(at + type.size());
    const auto weight = parameters.substr(0, parameters.find(',')).find("q=0");
    return weight == parameters.npos || parameters.substr(weight).starts_with("q=0.");
}

task<response> answer_metrics(slot reporter, request& req) {
    if (accepts_openmetrics(req))
        co_return co_await answer(reporter, report_kind::metrics, report_format::openmetrics,
                                  "application/openmetrics-text; version=1.0.0; charset=utf-8");
    co_return co_await answer(reporter, report_kind::metrics, report_format::text,
                              "text/plain; version=0.0.4; charset=utf-8");
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
