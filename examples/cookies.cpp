// SPDX-License-Identifier: Apache-2.0
// A setting that the browser stores in a cookie.
#include <apus/app.hpp>
#include <apus/cookies.hpp>

apus::app make_app() {
    apus::app app;
    app.get("/", [](apus::request& req) {
        return "Your theme is " + std::string(apus::find_cookie(req, "theme").value_or("light")) + ".\n";
    });
    app.put("/theme/{name}", [](std::string_view name) -> apus::result<apus::reply<apus::no_content, 204>> {
        if (name != "light" && name != "dark") return apus::fail(422, "the theme must be light or dark");
        const std::string cookie = apus::make_cookie("theme", name, {.max_age = apus::seconds(365 * 24 * 3600)});
        return apus::with_status<204>().header("set-cookie", cookie);
    });
    app.del("/theme", [] { return apus::with_status<204>().header("set-cookie", apus::make_expired_cookie("theme")); });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
