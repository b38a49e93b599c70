// SPDX-License-Identifier: Apache-2.0
// Traces of requests with spans of the program, sent to an OpenTelemetry collector.
#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/tracing.hpp>

#include <string>

namespace {

apus::task<int> price_of(int order) {
    auto span = apus::span("price");
    span.set({"order.id", order});
    co_await apus::sleep_for(apus::milliseconds(5));  // for example a request to another server
    if (order == 0) span.error("unknown order");
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
    return apus::serve(make_app, argc, argv, {.tracing = apus::tracer({.service = "shop"})});
}
