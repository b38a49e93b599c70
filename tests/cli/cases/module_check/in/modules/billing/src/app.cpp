// SPDX-License-Identifier: Apache-2.0
#include <accounts/app.hpp>

apus::app billing::make_app() {
    apus::app app;
    app.post("/keys", make);
    app.get("/keys", list);
    return app;
}
