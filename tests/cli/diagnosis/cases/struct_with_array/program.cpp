// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/json.hpp>
struct grid {
    int cells[4] = {};
};
apus::app make_app() {
    apus::app app;
    app.get("/it", [] { return grid{}; });
    return app;
}
