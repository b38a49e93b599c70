// SPDX-License-Identifier: Apache-2.0
// Notes in SQLite, or in PostgreSQL by DATABASE_URL. `apus db migrate` creates the table.
#include <apus/app.hpp>
#include <apus/json.hpp>
#include <apus/openapi.hpp>
#include <apus/rules.hpp>
#include <apus/sql.hpp>

#include <cstdlib>

struct new_note {
    apus::text<1, 200> title;
    apus::integer<1, 5> priority = 3;
};

struct note {
    std::int64_t id;
    std::string title;
    std::int64_t priority;
};

apus::app make_app() {
    const char* url = std::getenv("DATABASE_URL");
    const apus::sql::database db(url ? url : "sqlite:notes.db");
    apus::app app;
    app.get("/notes", [db] { return db.all<note>("select id, title, priority from note order by id limit 100"); });
    app.get("/notes/{id}",
            [db](std::int64_t id) { return db.one<note>("select id, title, priority from note where id = $1", id); });
    app.post("/notes", [db](apus::json<new_note> in) -> apus::task<apus::created<note>> {
        auto made = co_await db.one<note>(
            "insert into note (title, priority) values ($1, $2) returning id, title, priority", *in);
        co_return apus::created(std::move(made));
    });
    app.del("/notes/{id}", [db](std::int64_t id) -> apus::task<> {
        if (co_await db.run("delete from note where id = $1", id) == 0) co_await apus::fail(404, "no such note");
    });
    app.mount(apus::openapi_document({.title = "Notes", .version = "1.0"}));
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
