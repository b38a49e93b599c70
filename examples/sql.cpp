// SPDX-License-Identifier: Apache-2.0
// Notes in SQLite, or in PostgreSQL by DATABASE_URL. `apus db migrate` creates the table.
#include <apus/app.hpp>
#include <apus/environment.hpp>
#include <apus/json.hpp>
#include <apus/log.hpp>
#include <apus/openapi.hpp>
#include <apus/rules.hpp>
#include <apus/sql.hpp>

struct new_note {
    apus::text<1, 200> title;
    apus::integer<1, 5> priority = 3;
};

struct note {
    std::int64_t id;
    std::string title;
    std::int64_t priority;
};

struct new_title {
    apus::text<1, 200> title;
};

apus::task<note> rename(apus::sql::database db, std::int64_t id, apus::json<new_title> sent) {
    auto done =
        co_await db.one<note>("update note set title = $2 where id = $1 returning id, title, priority", id, sent->title)
            .outcome();
    if (const auto* why = apus::sql::failure_of(done); why && why->is_unique_violation())
        co_await apus::fail(409, "another note has this title").with("field", "title");
    co_return co_await std::move(done);
}

struct imported {
    int stored;
};

// Stores the notes whose titles are not in use, in one transaction.
apus::task<imported> import_notes(apus::sql::database db, apus::json<std::vector<new_note>> sent) {
    co_return co_await db.transaction([&](apus::sql::transaction& t) -> apus::task<imported> {
        imported made{};
        for (const new_note& each : *sent) {
            auto done = co_await t
                            .savepoint([&](apus::sql::transaction& inner) -> apus::task<> {
                                co_await inner.run("insert into note (title, priority) values ($1, $2)", each);
                            })
                            .outcome();
            const auto* why = apus::sql::failure_of(done);
            if (done) ++made.stored;
            else if (!(why && why->is_unique_violation())) co_await std::move(done);
        }
        co_return made;
    });
}

// The default error of a database that cannot be reached asks clients to wait for one second.
apus::error own_error(const apus::sql::statement_failure& what, apus::error why) {
    if (!what.is_unavailable()) return why;
    return apus::error(503, "notes are not available now").expose().header("retry-after", "10");
}

// Called after each statement. APUS_LOG=debug shows them.
void trace(const apus::sql::executed_statement& s) noexcept {
    apus::log::debug("statement", {"us", s.took.nanoseconds() / 1'000}, {"rows", s.rows}, {"failed", s.why != nullptr},
                     {"statement", s.text});
}

apus::app make_app() {
    const apus::sql::database_options options{.slow_statement = apus::milliseconds(200),
                                              .slow_statement_plan = true,
                                              .on_statement = trace,
                                              .map_error = own_error};
    const auto db = apus::from_environment<apus::sql::database>("DATABASE_URL", "sqlite:notes.db", options);
    apus::app app;
    app.get("/notes", [db] { return db.all<note>("select id, title, priority from note order by id limit 100"); });
    app.get("/notes/{id}",
            [db](std::int64_t id) { return db.one<note>("select id, title, priority from note where id = $1", id); });
    app.post("/notes", [db](apus::json<new_note> in) -> apus::task<apus::created<note>> {
        auto made = co_await db.one<note>(
            "insert into note (title, priority) values ($1, $2) returning id, title, priority", *in);
        co_return apus::created(std::move(made));
    });
    app.post("/notes/import",
             [db](apus::json<std::vector<new_note>> sent) { return import_notes(db, std::move(sent)); });
    app.put("/notes/{id}/title",
            [db](std::int64_t id, apus::json<new_title> sent) { return rename(db, id, std::move(sent)); });
    app.del("/notes/{id}", [db](std::int64_t id) -> apus::task<> {
        if (co_await db.run("delete from note where id = $1", id) == 0) co_await apus::fail(404, "no such note");
    });
    app.mount(apus::openapi_document({.title = "Notes", .version = "1.0"}));
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
