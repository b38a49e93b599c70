// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <apus/app.hpp>
#include <apus/json.hpp>
struct base {
    int id = 0;
};
struct derived : base {
    std::string name;
};
apus::app make_app() {
    apus::app app;
    app.get("/it", [] { return derived{}; });
    return app;
}
