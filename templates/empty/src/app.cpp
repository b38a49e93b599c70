// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

apus::app make_app() {
    apus::app app;
    app.get("/", [] { return "Hello from starter!\n"; });
    // apus: modules
    return app;
}
