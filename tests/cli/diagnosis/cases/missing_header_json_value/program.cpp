// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/json.hpp>
apus::app make_app() {
    apus::app app;
    app.post("/any", [](apus::json<apus::json_value> body) { return body->is_object() ? "object" : "other"; });
    return app;
}
