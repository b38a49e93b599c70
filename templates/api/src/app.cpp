// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

#include <apus/json.hpp>
#include <apus/openapi.hpp>
#include <apus/query.hpp>
#include <apus/redirect.hpp>

namespace {

struct page {
    apus::integer<1, 100> limit{20};
};

}  // namespace

apus::app make_app(const notes& store) {
    apus::app app;
    app.mount(apus::openapi_document({.title = "starter", .version = "0.1.0"}));
    app.get("/", [] { return apus::redirect(303, "/openapi.json"); }).hidden();

    app.get("/notes", [store](apus::query<page> which) { return store.first(*which->limit); })
        .summary("The first notes");
    app.post("/notes",
             [store](apus::json<new_note> sent) -> apus::task<apus::created<note>> {
                 auto kept = co_await store.add(*sent);
                 co_return apus::created(std::move(kept));
             })
        .summary("Keeps a note");
    app.get("/notes/{id}", [store](std::int64_t id) { return store.get(id); }).summary("One note");
    // apus: modules
    return app;
}
