// SPDX-License-Identifier: Apache-2.0
// Transfers between accounts in the database DATABASE_URL, for database_faults.py.
#include <apus/app.hpp>
#include <apus/serve.hpp>
#include <apus/sql.hpp>
#include <apus/timeout.hpp>

#include <algorithm>
#include <cstdlib>

namespace {

constexpr std::int64_t accounts = 1'000;

// The table has no unique key, so that transfers that were executed twice can be detected.
apus::task<> transfer(apus::sql::database db, std::int64_t id) {
    const std::int64_t one = id % accounts, other = id * 7 % accounts;
    const std::int64_t from = std::min(one, other), to = std::max(one, other);  // ascending order: no deadlocks
    co_await db.transaction([=](apus::sql::transaction& t) -> apus::task<> {
        co_await t.run("insert into transfer (id, source, target) values ($1, $2, $3)", id, from, to);
        co_await t.run("update account set balance = balance - 1 where id = $1", from);
        co_await t.run("update account set balance = balance + 1 where id = $1", to);
    });
}

apus::app make_app() {
    const apus::sql::database db(std::getenv("DATABASE_URL"), {.statement_timeout = apus::seconds(2),
                                                               .connect_timeout = apus::seconds(1),
                                                               .idle_transaction_timeout = apus::seconds(2),
                                                               .connections = 8,
                                                               .prepared_statements = !std::getenv("UNPREPARED")});
    apus::app app;
    app.use(apus::timeout(apus::seconds(3)));
    app.post("/transfers/{id}", [db](std::int64_t id) { return transfer(db, id); });
    app.post("/hold/{seconds}", [db](std::int64_t seconds) -> apus::task<> {  // holds a connection
        auto t = co_await db.begin();
        co_await t.run("select pg_sleep($1)", static_cast<double>(seconds));
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
