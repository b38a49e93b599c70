// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

#include <apus/csrf.hpp>
#include <apus/files.hpp>
#include <apus/form.hpp>
#include <apus/pages.hpp>
#include <apus/redirect.hpp>
#include <apus/rules.hpp>
#include <apus/security_headers.hpp>
#include <cstdlib>
#include <vector>

namespace {

struct entry {
    apus::text<1, 40> name;
    apus::text<1, 500> message;
};

struct guest_page {
    std::string title;
    std::vector<entry> entries;
};

}  // namespace

struct guestbook::parts {
    std::mutex lock;
    std::vector<entry> entries;
};

guestbook::guestbook() : parts_(std::make_unique<parts>()) {}
guestbook::~guestbook() = default;

apus::app make_app(guestbook& book) {
    auto& kept = *book.parts_;
    const bool develops = std::getenv("APUS_DEV") != nullptr;  // `apus dev` sets it
    const apus::pages pages("pages", {.reload = develops});
    const auto guests = pages.bind<guest_page>("guests.html");

    apus::app app;
    app.use(apus::security_headers());
    app.use(apus::csrf());
    app.get("/", [guests, &kept] {
        const std::lock_guard hold(kept.lock);
        return guests({.title = "starter", .entries = kept.entries});
    });
    app.post("/entries", [&kept](apus::form<entry> sent) {
        const std::lock_guard hold(kept.lock);
        kept.entries.push_back(*std::move(sent));
        return apus::redirect(303, "/");
    });
    app.mount("/static", apus::files("public"));
    // apus: modules
    return app;
}
