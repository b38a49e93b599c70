// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <apus/app.hpp>
#include <apus/json.hpp>
apus::app make_app() {
    apus::app app;
    app.get("/tags", [] { return std::set<std::string>{"a", "b"}; });
    return app;
}
