// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/json.hpp>
struct t {
    std::pair<int, int> s;
};
apus::app make_app() {
    apus::app app;
    app.post("/t", [](apus::json<t>) { return "x"; });
    return app;
}
