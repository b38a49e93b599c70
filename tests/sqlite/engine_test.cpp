// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"
#include "runtime/running_task.hpp"
#include "sql/row_reader.hpp"
#include "sqlite/binding.hpp"
#include "sqlite/file.hpp"
#include "sqlite/result.hpp"

#include <apus/json.hpp>
#include <apus/sql.hpp>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <doctest/doctest.h>
#include <filesystem>
#include <limits>
#include <thread>

namespace sql = apus::sql;
using apus::task;

namespace {

// A loop, and a database in a separate folder.
struct place {
    std::string why;
    apus::runtime::loop loop{apus::runtime::make_backend("", why)};
    std::filesystem::path folder;

    place() {
        char name[] = "/tmp/apus-sqlite-XXXXXX";
        folder = mkdtemp(name);
    }
    ~place() { std::filesystem::remove_all(folder); }
    std::string url() const { return "sqlite:" + (folder / "a.db").string(); }
};

template <class T>
apus::result<T> wait(task<T> t) {
    apus::test::running_task<T> running(std::move(t));
    return std::move(running.wait());
}

enum class colour : std::uint8_t {
    red,
    green
};

struct inner {
    int a = 1;
    std::vector<std::string> b;
};

struct every {
    std::int8_t i8;
    std::uint32_t u32;
    std::int64_t i64;
    bool yes;
    double number;
    std::string words;
    std::vector<unsigned char> bytes;
    colour shade;
    std::optional<int> none;
    std::vector<int> list;
    inner object;
    std::chrono::sys_time<std::chrono::microseconds> time;
};

struct pair {
    std::int64_t id;
    std::string name;
};

}  // namespace

TEST_CASE("sqlite: values of every type are read back unchanged") {
    place here;
    for (const std::string& url : {here.url(), std::string("sqlite::memory:")}) {
        CAPTURE(url);
        const sql::database db(url);
        REQUIRE(
            wait(db.run("create table t (i8 integer, u32 integer, i64 integer, yes boolean, number real, words text, "
                        "bytes blob, shade text, none integer, list text, object text, time text)")));
        const every low{
            -128,
            0,
            INT64_MIN,
            false,
            -std::numeric_limits<double>::max(),
            "",
            {},
            colour::red,
            {},
            {},
            {},
            std::chrono::sys_time<std::chrono::microseconds>(std::chrono::microseconds(-62'167'219'200'000'000))};
        const every high{
            127,
            UINT32_MAX,
            INT64_MAX,
            true,
            std::numeric_limits<double>::infinity(),
            "\U0001f426 'q'\"",
            {0, 255, 0},
            colour::green,
            7,
            {1, -2},
            {5, {"x", "y\n"}},
            std::chrono::sys_time<std::chrono::microseconds>(std::chrono::microseconds(253'402'300'799'999'999))};
        for (const every& e : {low, high}) {
            CHECK(wait(db.run("insert into t values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)", e)) == 1);
            const auto back = wait(db.one<every>("select * from t where i8 = $1", e.i8));
            REQUIRE_MESSAGE(back.has_value(), std::string(back ? "" : back.error().cause()));
            CHECK(back->u32 == e.u32);
            CHECK(back->i64 == e.i64);
            CHECK(back->yes == e.yes);
            CHECK(back->number == e.number);
            CHECK(back->words == e.words);
            CHECK(back->bytes == e.bytes);
            CHECK(back->shade == e.shade);
            CHECK(back->none == e.none);
            CHECK(back->list == e.list);
            CHECK(back->object.b == e.object.b);
            CHECK(back->time == e.time);
        }
        CHECK(wait(db.run("insert into t (i64) values ($1)", UINT64_MAX)).error().status() == 500);
        CHECK(wait(db.one<std::int64_t>("select count(*) from t")) == 2);
        CHECK(wait(db.maybe<pair>("select 1 as id, 'a' as name where 1 = 0")).value().has_value() == false);
        CHECK(wait(db.one<std::string>("select words from t where i8 = 99")).error().status() == 404);
    }
}

TEST_CASE("sqlite: text that looks like SQL is not executed") {
    place here;
    const sql::database db(here.url());
    REQUIRE(wait(db.run("create table t (id integer primary key, name text not null)")));
    const std::string parts[] = {
        "'",           "\"", ";", "--", "/*",           "*/",     "$1", "?", ":a",  "\\", "); drop table t; --",
        "' or '1'='1", "\n", "%", "_",  "union select", "\u2019", "`",  "]", "0x41"};
    int made = 0;
    for (const auto& a : parts)
        for (int i = 0; i < 10; ++i, ++made) {
            const std::string name = a + parts[static_cast<std::size_t>(made * 7 + i) % std::size(parts)] + a;
            const auto back = wait(db.one<pair>("insert into t (name) values ($1) returning id, name", name));
            REQUIRE(back.has_value());
            CHECK(back->name == name);
            CHECK(wait(db.one<std::string>("select name from t where name = $1 and id = $2", name, back->id)) == name);
        }
    CHECK(made == 200);
    CHECK(wait(db.one<std::int64_t>("select count(*) from t")) == 200);
}

TEST_CASE("sqlite: errors name the cause") {
    place here;
    const sql::database db(here.url());
    REQUIRE(wait(db.run("create table p (id integer primary key)")));
    REQUIRE(
        wait(db.run("create table c (id integer primary key, name text unique check (length(name) < 5), "
                    "p integer references p deferrable initially deferred)")));
    REQUIRE(wait(db.run("insert into c (id, name) values (1, 'a')")));
    const auto unique = wait(db.run("insert into c (name) values ($1)", "a"));
    CHECK(unique.error().status() == 409);
    CHECK(unique.error().cause().find("constraint c.name") != std::string_view::npos);
    CHECK(wait(db.run("insert into c (name) values ('too long')")).error().status() == 422);
    CHECK(wait(db.run("insert into c (p) values (7)")).error().status() == 409);
    CHECK(wait(db.run("selec 1")).error().status() == 500);
    CHECK(wait(db.run("select 1; select 2")).error().status() == 500);
    CHECK(wait(db.run("insert into c (name) values ($1)", std::string("a\0b", 3))).error().status() == 400);
    const auto column = wait(db.one<pair>("select id from c"));
    CHECK(column.error().status() == 500);
    CHECK(column.error().cause() == "no column for field pair.name; statement: select id from c");
    const auto null = wait(db.one<pair>("select id, p as name from c"));
    CHECK(null.error().cause().find("holds NULL, field name takes") != std::string_view::npos);
    INFO(null.error().cause());
    CHECK(wait(db.one<std::int64_t>("with x as (select 1) select count(*) from c")) == 1);
    CHECK(wait(db.run("with x as (select 5 as i) insert into c (id) select i from x")) == 1);
}

TEST_CASE("sqlite: a value or a result over its limit is refused") {
    place here;
    const sql::database db(here.url(), {.value_size = 1000, .result_size = 10'000});
    CHECK(wait(db.one<std::string>("select $1", std::string(1001, 'a'))).error().status() == 413);
    CHECK(wait(db.one<std::string>("select hex(zeroblob(1000000000))")).error().status() == 500);
    const auto all = wait(db.all<std::int64_t>(
        "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n limit 100000"));
    CHECK(all.error().status() == 500);
    CHECK(all.error().cause().find("result_size") != std::string_view::npos);
}

TEST_CASE("sqlite: transactions are atomic") {
    place here;
    const sql::database db(here.url());
    REQUIRE(wait(db.run("create table t (id integer primary key)")));
    const auto put = [&](bool fails) {
        return db.transaction([fails](sql::transaction& t) -> task<std::int64_t> {
            co_await t.run("insert into t values (1)");
            sql::transaction inner = co_await t.savepoint();
            co_await inner.run("insert into t values (2)");
            co_await inner.rollback();
            if (fails) co_await apus::fail(400, "no");
            co_return co_await t.one<std::int64_t>("select count(*) from t");
        });
    };
    CHECK(wait(put(true)).error().status() == 400);
    CHECK(wait(db.one<std::int64_t>("select count(*) from t")) == 0);
    CHECK(wait(put(false)) == 1);
    CHECK(wait(put(false)).error().status() == 409);
    { auto left = wait(db.begin()); }  // destroyed without commit, so it is rolled back
    CHECK(wait(db.run_each("insert into t values ($1)", std::vector<int>{5, 6, 5})).error().status() == 409);
    CHECK(wait(db.run_each("insert into t values ($1)", std::vector<int>{5, 6, 7})) == 3);
    CHECK(wait(db.one<std::int64_t>("select count(*) from t")) == 4);
}

TEST_CASE("sqlite: a stream returns all rows without keeping them") {
    place here;
    const sql::database db(here.url(), {.result_size = 100'000});
    auto rows = db.stream<std::int64_t>(
        "with recursive n(i) as (select 1 union all select i + 1 from n limit 20000) select i from n");
    std::int64_t sum = 0, count = 0;
    for (;;) {
        const auto row = wait(rows.next());
        REQUIRE(row.has_value());
        if (!row->has_value()) break;
        sum += **row, ++count;
    }
    CHECK(count == 20'000);
    CHECK(sum == 200'010'000);
}

TEST_CASE("sqlite: a statement ends at its deadline") {
    place here;
    const sql::database db(here.url(), {.statement_timeout = apus::milliseconds(50)});
    const auto late = wait(
        db.one<std::int64_t>("with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"));
    CHECK(late.error().status() == 504);
    const auto write =
        wait(db.run("create table t as with recursive n(i) as (select 1 union all select i + 1 from n) "
                    "select count(*) as c from n"));
    CHECK(write.error().status() == 504);
    CHECK(wait(db.one<int>("select 1")) == 1);
}

TEST_CASE("sqlite: a cancelled task does not disturb its thread") {
    place here;
    const sql::database db(here.url());
    REQUIRE(wait(db.run("create table t (id integer primary key, name text)")));
    for (int i = 0; i < 200; ++i) {
        apus::test::running_task<std::int64_t> write(
            db.run("insert into t (name) values ($1)", std::string(5000, 'x')));
        apus::test::running_task<std::vector<pair>> read(db.all<pair>("select id, name from t"));
        apus::test::running_task<std::int64_t> endless(db.one<std::int64_t>(
            "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"));
        if (i % 3 == 0) here.loop.turn(0);
    }
    CHECK(wait(db.one<std::int64_t>("select count(*) from t")).has_value());
}

TEST_CASE("sqlite: 64 clients on several cores never see a busy database") {
    place here;
    const sql::database db(here.url(), {.durable = sql::durability::process});
    REQUIRE(wait(db.run("create table t (id integer primary key, name text unique)")));
    std::atomic<int> failed = 0, conflicts = 0;
    const auto core = [&](int which) {
        std::string why;
        apus::runtime::loop loop(apus::runtime::make_backend("", why));
        const auto client = [&](int number) -> task<> {
            for (int i = 0; i < 50; ++i) {
                const auto name = std::to_string(which) + "-" + std::to_string(number) + "-" + std::to_string(i);
                auto put = co_await db.run("insert into t (name) values ($1)", name).outcome();
                failed += !put;
                auto again = co_await db.run("insert into t (name) values ($1)", name).outcome();
                conflicts += !again && again.error().status() == 409;
                auto seen = co_await db.one<std::int64_t>("select count(*) from t where name = $1", name).outcome();
                failed += !seen || *seen != 1;
            }
        };
        std::vector<std::unique_ptr<apus::test::running_task<void>>> clients;
        for (int n = 0; n < 32; ++n) clients.push_back(std::make_unique<apus::test::running_task<void>>(client(n)));
        for (auto& c : clients) (void)c->wait();
    };
    std::thread other([&] { core(1); });
    std::thread third([&] { core(2); });
    other.join();
    third.join();
    CHECK(failed == 0);
    CHECK(conflicts == 3200);
    CHECK(wait(db.one<std::int64_t>("select count(*) from t")) == 3200);
}

TEST_CASE("sqlite: a full disk fails the statement that does not fit, with 503") {
    place here;
    const sql::database db(here.url());
    REQUIRE(wait(db.run("create table t (name text)")));
    REQUIRE(wait(db.one<std::int64_t>("pragma max_page_count = 10")));
    const auto full = wait(db.run("insert into t values ($1)", std::string(200'000, 'x')));
    CHECK(full.error().status() == 503);
    CHECK(wait(db.run("insert into t values ('y')")) == 1);
    CHECK(wait(db.one<std::int64_t>("select count(*) from t")) == 1);
}

TEST_CASE("sql: an invalid URL is refused at once") {
    for (const char* url : {"", "sqlite:", "mysql://x", "app.db"})
        CHECK_THROWS_AS((void)sql::database(url), std::invalid_argument);
    CHECK_THROWS_AS((void)sql::database("sqlite:a", {.value_size = 2'000'000'000}), std::invalid_argument);
    place here;
    const sql::database nowhere("sqlite:/nonexistent/folder/a.db");
    CHECK(wait(nowhere.one<int>("select 1")).error().status() == 503);
    CHECK(wait(nowhere.run("create table t (a)")).error().status() == 503);
}
