// SPDX-License-Identifier: Apache-2.0
#include <accounts/app.hpp>
#include <audit/log.hpp>
#include "../../audit/src/secret.hpp"
#include <billing/gone.hpp>
#include "../../../src/settings.hpp"
#include <vector>
// #include <mail/mail.hpp>

apus::app accounts::make_app() {
    apus::app app, keys;
    app.get("/{id}", show);
    keys.get("/", list);  // this is /accounts/keys
    app.mount("/keys", std::move(keys));
    return app;
}
