// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/json.hpp>
apus::app make_app() {
    apus::app app;
    app.get("/three", [] { return std::array<int, 3>{1, 2, 3}; });
    return app;
}
