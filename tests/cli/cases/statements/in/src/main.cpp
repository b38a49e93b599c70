// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/rules.hpp>
#include <apus/serve.hpp>
#include <apus/sql/table.hpp>

#include <cstdlib>
#include <optional>
#include <string>
#include <chrono>
#include <cstdio>
#include <unistd.h>
#include <vector>

namespace sql = apus::sql;

enum class state {
    open,
    closed
};

struct note {
    std::int64_t id;
    std::string title;
    apus::integer<1, 5> priority;
    std::optional<std::string> comment;
    bool done;
};
struct new_note {
    std::string title;
    apus::integer<1, 5> priority{3};
};
struct half_note {
    std::int64_t id;
    std::string titel;
};
struct wrong_note {
    std::string id;
    std::int64_t title;
    state priority;
    std::string comment;
};
struct heading {
    std::string title;
};

constexpr sql::text all_notes = "select * from note";

template <class Row>
auto every(const sql::database& db) {
    return db.all<Row>(all_notes);
}

apus::task<> correct(sql::database db) {
    const sql::table<note> notes(db, "note");
    co_await db.all<note>("select id, title, priority, comment, done from note -- the end");
    co_await db.maybe<note>("select * from note where id = $1 and title like $2;", 1, "a%");
    co_await db.one<std::int64_t>("select count(*) from note");
    co_await db.one<note>("insert into note (title, priority) values ($1, $2) returning *", new_note{"a"});
    co_await db.all<heading>("select title from titles");
    co_await db.all<std::string>("select coalesce(comment, '') from note");
    co_await db.run("update note set comment = $1, done = $3 where id = $2", std::nullopt, 1, true);
    co_await db.run_each("insert into note (title, priority) values ($1, $2)", std::vector<new_note>());
    co_await every<note>(db);
    auto rows = db.stream<note>("select * from note");
    co_await rows.next();
}

apus::task<> wrong(sql::database db) {
    const sql::table<note> gone(db, "notes");
    const sql::table<half_note> half(db, "note");
    co_await db.all<heading>("select titel as title from note");
    co_await db.one<heading>("select title from nots where id = $1", 1);
    co_await db.run("update note set where id = 1");
    co_await db.run("delete from note where id = 1; delete from note");
    co_await db.run("");
    co_await db.all<half_note>(
        "select id,\n"
        "       title from note");
    co_await db.all<wrong_note>("select * from note");
    co_await db.maybe<std::string>("select comment from note where id = $1", 1);
    co_await db.maybe<std::string>("select title, id from note");
    co_await db.all<note>("delete from note");
    co_await db.run("update note set title = $1 where id = $3 and title <> ''", "a", 1, 2);
    co_await db.run("delete from note where id = $1 or done = $2", std::string("1"), std::chrono::system_clock::now());
    co_await every<heading>(db);
    co_await every<half_note>(db);
}

apus::app make_app() {
    apus::app app;
    app.get("/", [] { return "shop"; });
    return app;
}

int main(int argc, char** argv) {
    const char* const how = std::getenv("SHOP");
    if (how && *how == 'c') std::abort();
    if (how && *how == 'h') pause();
    if (how && *how == 'f') return 3;
    if (how && *how == 'p') return puts("ready"), 0;
    return apus::serve(make_app, argc, argv);
}
