// SPDX-License-Identifier: Apache-2.0
// Traces of requests with spans of the program, and log records, sent to an OpenTelemetry collector.
#include <apus/app.hpp>
#include <apus/log.hpp>
#include <apus/sleep.hpp>
#include <apus/tracing.hpp>

#include <string>

namespace {

apus::task<int> price_of(int order) {
    auto span = apus::span("price");
    span.set({"order.id", order});
    co_await apus::sleep_for(apus::milliseconds(5));  // for example a request to another server
    if (order == 0) span.error("unknown order");
    apus::log::info("priced", {"order", order});  // with the ids of the trace and of the span
    co_return 3 * order;
}

apus::app make_app() {
    apus::app app;
    app.get("/orders/{id}", [](int id) -> apus::task<std::string> {
        const int price = co_await price_of(id);
        co_return std::to_string(price) + " EUR\n";
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    const apus::tracer traces({.service = "shop", .logs = apus::log::level::info});
    return apus::serve(make_app, argc, argv, {.tracing = traces});
}
