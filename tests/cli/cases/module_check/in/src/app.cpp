// SPDX-License-Identifier: Apache-2.0
#include <accounts/app.hpp>
#include "../modules/audit/src/secret.hpp"

apus::app make_admin() {
    apus::app app;
    app.get("/report", report);
    return app;
}

apus::app make_app() {
    apus::app app;
    app.get("/accounts/{name}", show);
    app.mount("/audit", make_admin());
    app.mount("/account", accounts::make_app());
    return app;
}
