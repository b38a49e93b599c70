// SPDX-License-Identifier: Apache-2.0
// Routes that conformance suites request, with the default limits.
#include <apus/app.hpp>

apus::app make_app() {
    apus::app app;
    app.get("/", [] { return "ok\n"; });
    app.post("/echo", [](apus::body_text body) { return std::string(body.bytes); });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
