// SPDX-License-Identifier: Apache-2.0
#include "showcase/notes.hpp"

#include <apus/json.hpp>
#include <apus/query.hpp>

#include <utility>
#include <vector>

namespace showcase {
namespace {

constexpr std::int64_t most_notes = 1'000;

struct note {
    std::int64_t id;
    apus::text<1, 80> title;
    std::vector<std::string> tags;
    priority importance;
    std::optional<apus::date> due;
};

struct wanted_notes {
    apus::integer<1, 100> limit{20};
    std::optional<apus::pattern<"[a-z][a-z0-9-]{0,19}">> tag;
    std::optional<priority> importance;
};

// One statement for both engines: tags are JSON, in a column of type text (SQLite) or json (PostgreSQL).
apus::task<std::vector<note>> find(apus::sql::database db, wanted_notes wanted) {  // NOLINT
    return db.all<note>(
        "select id, title, tags, importance, due from note "
        "where (cast($1 as text) is null or importance = $1) "
        "and (cast($2 as text) is null or cast(tags as text) like '%\"' || $2 || '\"%') order by id limit $3",
        wanted.importance, wanted.tag, wanted.limit);
}

apus::task<apus::created<note>> add(apus::sql::database db, apus::json<note_text> sent) {
    if (co_await db.one<std::int64_t>("select count(*) from note") >= most_notes)
        co_await apus::fail(409, "the limit of 1,000 notes is reached: delete one first");
    auto made = co_await db.one<note>(
        "insert into note (title, tags, importance, due) values ($1, $2, $3, $4) "
        "returning id, title, tags, importance, due",
        *sent);
    co_return apus::created(std::move(made));
}

apus::task<> expect_one(apus::task<std::int64_t> changed) {
    if (co_await std::move(changed) == 0) co_await apus::fail(404, "unknown note");
}

}  // namespace

apus::app make_notes(const apus::sql::database& db) {
    apus::app app;
    app.get("/", [db](apus::query<wanted_notes> wanted) { return find(db, *wanted); })
        .summary("Lists matching notes")
        .tag("notes");
    app.post("/", [db](apus::json<note_text> sent) { return add(db, std::move(sent)); })
        .summary("Creates a note")
        .tag("notes");
    app.get("/{id}",
            [db](std::int64_t id) {
                return db.one<note>("select id, title, tags, importance, due from note where id = $1", id);
            })
        .summary("Returns a note")
        .tag("notes");
    app.put("/{id}",
            [db](std::int64_t id, apus::json<note_text> sent) {
                return expect_one(db.run(
                    "update note set title = $1, tags = $2, importance = $3, due = $4 where id = $5", *sent, id));
            })
        .summary("Replaces a note")
        .tag("notes");
    app.del("/{id}", [db](std::int64_t id) { return expect_one(db.run("delete from note where id = $1", id)); })
        .summary("Removes a note")
        .tag("notes");
    return app;
}

}  // namespace showcase
