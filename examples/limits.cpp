// SPDX-License-Identifier: Apache-2.0
// Limits of a server, and limits of single routes.
#include <apus/app.hpp>
#include <apus/sleep.hpp>

namespace {

apus::task<std::string> report() {
    co_await apus::sleep_for(apus::milliseconds(200));
    co_return "done\n";
}

apus::app make_app() {
    apus::app app;
    app.post("/comments", [](apus::body_text text) { return std::to_string(text.bytes.size()) + " bytes\n"; },
             {.body = 10'000});
    app.get("/report", report, {.handler = apus::seconds(120)});
    app.get("/quick", report, {.handler = apus::milliseconds(100)});
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    apus::serve_options options;
    options.limits.body = 64 * 1024;
    options.limits.idle = apus::seconds(60);
    options.limits.connections_per_address = 200;
    return apus::serve(make_app, argc, argv, options);
}
