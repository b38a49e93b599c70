// SPDX-License-Identifier: Apache-2.0
// A page with an inline script, and an API that pages of one other origin may use.
#include <apus/app.hpp>
#include <apus/cors.hpp>
#include <apus/security_headers.hpp>

apus::app make_api() {
    apus::app api;
    api.use(apus::cors({.origins = {"https://app.example"}, .expose = {"x-total"}}));
    api.get("/items", [] {
        apus::response res = apus::response::text("apple\npear\n");
        res.header("x-total", "2");
        return res;
    });
    api.put("/items/{name}", [](std::string_view) {});
    return api;
}

apus::app make_app() {
    apus::app app;
    app.use(apus::security_headers());
    app.get("/", [](apus::request& req) {
        const std::string nonce(apus::csp_nonce(req));
        apus::response page;
        page.body("<!doctype html><title>Apus</title><p id=p></p><script nonce=\"" + nonce +
                      "\">document.getElementById('p').textContent = 'This script may run.'</script>\n",
                  "text/html; charset=utf-8");
        return page;
    });
    app.mount("/api", make_api());
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
