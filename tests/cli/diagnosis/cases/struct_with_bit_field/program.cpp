// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/json.hpp>
struct flags {
    unsigned a : 3 = 0;
    unsigned b : 5 = 0;
};
apus::app make_app() {
    apus::app app;
    app.get("/it", [] { return flags{}; });
    return app;
}
