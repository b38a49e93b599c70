// SPDX-License-Identifier: Apache-2.0
#include <audit/log.hpp>

apus::app audit::make_app() {
    apus::app app;
    app.get("/report", report);
    return app;
}
