// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <apus/app.hpp>
#include <apus/json.hpp>
struct todo {
    std::string what;
};
apus::app make_app() {
    apus::app app;
    app.post("/todos", [](const apus::json<todo>& body) { return body->what; });
    return app;
}
