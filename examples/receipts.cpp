// SPDX-License-Identifier: Apache-2.0
// Orders whose receipts are sent by background jobs: in SQLite, or in PostgreSQL by DATABASE_URL. Any number of
// processes with the same PostgreSQL database share the work.
#include <apus/app.hpp>
#include <apus/environment.hpp>
#include <apus/jobs.hpp>
#include <apus/json.hpp>
#include <apus/log.hpp>
#include <apus/rules.hpp>
#include <apus/sleep.hpp>

namespace {

struct new_order {
    apus::text<1, 200> item;
    apus::email customer;
};

struct order {
    std::int64_t id;
    std::string item;
    std::string customer;
};

// A job. It is stored as JSON, so its fields may have the types that JSON bodies support.
struct send_receipt {
    std::int64_t order;
    std::string to;
};

struct daily_report {};

constexpr const char* default_database = "sqlite:receipts.db";

apus::sql::database open_database() {
    return apus::from_environment<apus::sql::database>("DATABASE_URL", default_database);
}

// The job is added if and only if the order is.
apus::task<apus::created<order>> take_order(apus::sql::database db, apus::jobs::queue jobs,
                                            apus::json<new_order> sent) {
    auto made = co_await db.transaction([&](apus::sql::transaction& t) -> apus::task<order> {
        auto row = co_await t.one<order>(
            "insert into orders (item, customer) values ($1, $2) returning id, item, customer", *sent);
        co_await jobs.enqueue(t, send_receipt{.order = row.id, .to = row.customer});
        co_return std::move(row);
    });
    co_return apus::created(std::move(made));
}

// A placeholder for the client of a mail server, which ignores a second message with the same key.
apus::task<> send_mail(std::string to, std::string key) {
    if (to.ends_with("@example.org")) co_await apus::fail(503, "the mail server is down");
    co_await apus::sleep_for(apus::milliseconds(20));
    apus::log::info("receipt sent", {"to", to}, {"key", key});
}

apus::task<> handle_receipt(send_receipt job, apus::jobs::context& c) {
    co_await send_mail(job.to, "receipt-" + std::to_string(c.id()));
    auto t = co_await c.transaction();  // commits with the completion of the job
    co_await t.run("update orders set receipts = receipts + 1 where id = $1", job.order);
}

apus::task<> handle_report(apus::sql::database db) {
    apus::log::info("report", {"orders", co_await db.one<std::int64_t>("select count(*) from orders")});
}

apus::app make_app() {
    const auto db = open_database();
    const apus::jobs::queue jobs(db, {.concurrency = 16});
    jobs.handle<send_receipt>(handle_receipt, {.attempts = 5, .deadline = apus::seconds(10)});
    jobs.handle<daily_report>([db](daily_report) { return handle_report(db); });
    jobs.schedule("daily report", "0 3 * * *", daily_report{});

    apus::app app;
    app.post("/orders", [db, jobs](apus::json<new_order> sent) { return take_order(db, jobs, std::move(sent)); });
    app.get("/orders", [db] { return db.all<order>("select id, item, customer from orders order by id limit 100"); });
    jobs.start(app);
    return app;
}

constexpr apus::sql::migration_file files[] = {
    {"0001_create_orders.sqlite.up.sql",
     "create table orders (id integer primary key, item text not null, customer text not null, "
     "receipts integer not null default 0);"},
    {"0001_create_orders.postgres.up.sql",
     "create table orders (id bigint generated always as identity primary key, item text not null, "
     "customer text not null, receipts bigint not null default 0);"},
};

void prepare() {
    open_database().migrate(files);
    apus::jobs::migrate(apus::from_environment<std::string>("DATABASE_URL", default_database));
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv, {.prepare = prepare}); }
