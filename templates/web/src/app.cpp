// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

#include <apus/csrf.hpp>
#include <apus/files.hpp>
#include <apus/form.hpp>
#include <apus/pages.hpp>
#include <apus/redirect.hpp>
#include <apus/security_headers.hpp>
#include <cstdlib>

namespace {

struct guest_page {
    std::string title;
    std::vector<entry> entries;
};

}  // namespace

apus::app make_app(guestbook& book) {
    const bool develops = std::getenv("APUS_DEV") != nullptr;  // set by `apus dev`
    const apus::pages pages("pages", {.reload = develops});
    const auto guests = pages.bind<guest_page>("guests.html");

    apus::app app;
    app.use(apus::security_headers());
    app.use(apus::csrf());
    app.get("/", [guests, &book] { return guests({.title = "starter", .entries = book.entries()}); });
    app.post("/entries", [&book](apus::form<entry> sent) {
        book.sign(*std::move(sent));
        return apus::redirect(303, "/");
    });
    app.mount("/static", apus::files("public"));
    // apus: modules
    return app;
}
