// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <apus/app.hpp>
apus::app make_app() {
    apus::app app;
    app.get("/count", [n = 0] { return std::to_string(++n); });
    return app;
}
