// SPDX-License-Identifier: Apache-2.0
// A node with a queue of jobs, for jobs_test.py. The database is DATABASE_URL.
#include <apus/app.hpp>
#include <apus/jobs.hpp>
#include <apus/sleep.hpp>

#include <cstdlib>

namespace {

struct charge {
    std::int64_t order;
};

struct print {
    std::int64_t order;
};

const char* database_url() { return std::getenv("DATABASE_URL"); }

// Each order is charged in the transaction that completes the job, and printed at least once.
apus::task<> charge_order(charge job, apus::jobs::context& c, apus::jobs::queue jobs) {
    auto t = co_await c.transaction();
    co_await t.run("insert into charged (number) values ($1)", job.order);
    co_await jobs.enqueue(t, print{job.order});
}

apus::task<> take_orders(apus::sql::database db, apus::jobs::queue jobs, std::int64_t first, std::int64_t count) {
    co_await db.transaction([&](apus::sql::transaction& t) -> apus::task<> {
        for (std::int64_t i = first; i < first + count; ++i) {
            co_await t.run("insert into orders (number) values ($1)", i);
            co_await jobs.enqueue(t, charge{i});
        }
    });
}

apus::app make_app() {
    const apus::sql::database db(database_url());
    const apus::jobs::queue jobs(db, {.concurrency = 16, .lease = apus::seconds(2), .drain = apus::seconds(5)});
    jobs.handle<charge>([jobs](charge job, apus::jobs::context& c) { return charge_order(job, c, jobs); },
                        {.attempts = 1000, .max_retry_delay = apus::seconds(1)});
    jobs.handle<print>(
        [db](print job, apus::jobs::context& c) -> apus::task<> {
            co_await db.run("insert into printed (number, job) values ($1, $2)", job.order, c.id());
        },
        {.attempts = 1000, .max_retry_delay = apus::seconds(1)});
    apus::app app;
    app.post("/orders/{first}/{count}",
             [db, jobs](std::int64_t first, std::int64_t count) { return take_orders(db, jobs, first, count); });
    jobs.start(app);
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    return apus::serve(make_app, argc, argv, {.prepare = [] { apus::jobs::migrate(database_url()); }});
}
