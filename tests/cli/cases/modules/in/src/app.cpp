// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>

apus::app make_app() {
    apus::app app;
    app.get("/", [] { return "shop\n"; });
    // apus: modules
    return app;
}
