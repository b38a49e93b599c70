// SPDX-License-Identifier: Apache-2.0
// Notes in a table, with pages, validation, migrations and an API description. SQLite, or PostgreSQL by DATABASE_URL.
#include <apus/app.hpp>
#include <apus/json.hpp>
#include <apus/openapi.hpp>
#include <apus/query.hpp>
#include <apus/rules.hpp>
#include <apus/sql/table.hpp>

#include <cstdlib>

struct new_note {
    apus::text<1, 200> title;
    apus::integer<1, 5> priority{3};
};

struct note {
    std::int64_t id;
    std::string title;
    std::int64_t priority;
};

struct wanted {
    apus::integer<1, 100> limit{20};
    std::optional<std::string> after;
};

constexpr apus::sql::migration_file migrations[] = {
    {"0001_note.sqlite.up.sql",
     "create table note (id integer primary key, title text not null unique, priority integer not null)"},
    {"0001_note.postgres.up.sql",
     "create table note (id serial primary key, title text not null unique, priority integer not null)"},
};

apus::sql::database open_database() {
    const char* url = std::getenv("DATABASE_URL");
    return apus::sql::database(url ? url : "sqlite:notes.db");
}

apus::app make_app() {
    const apus::sql::table<note> notes(open_database(), "note");
    apus::app app;
    app.mount(apus::openapi_document({.title = "Notes", .version = "1.0"}));
    app.get("/notes", [notes](apus::query<wanted> page) {
        return notes.list({.limit = static_cast<unsigned>(*page->limit), .after = page->after.value_or("")});
    });
    app.post("/notes", [notes](apus::json<new_note> sent) -> apus::task<apus::created<note>> {
        auto made = co_await notes.insert(*sent);
        co_return apus::created(std::move(made));
    });
    app.get("/notes/{id}", [notes](std::int64_t id) { return notes.get(id); });
    app.put("/notes/{id}", [notes](std::int64_t id, apus::json<new_note> sent) { return notes.update(id, *sent); });
    app.del("/notes/{id}", [notes](std::int64_t id) { return notes.remove(id); });
    return app;
}

int main(int argc, char** argv) {
    return apus::serve(make_app, argc, argv, {.prepare = [] { open_database().migrate(migrations); }});
}
