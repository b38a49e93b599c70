// SPDX-License-Identifier: Apache-2.0
// Uses the libraries that report metrics, for libraries_metrics_test.py: databases, Redis, NATS, jobs, the HTTP client
// and middleware. DATABASE_URL is a database; REDIS_URL, NATS_URL and UPSTREAM may be empty.
#include <apus/app.hpp>
#include <apus/blocking.hpp>
#include <apus/client.hpp>
#include <apus/concurrency_limit.hpp>
#include <apus/idempotency.hpp>
#include <apus/jobs.hpp>
#include <apus/nats.hpp>
#include <apus/rate_limit.hpp>
#include <apus/redis.hpp>
#include <apus/redis/cache_relay.hpp>
#include <apus/redis/response_cache_store.hpp>
#include <apus/response_cache.hpp>
#include <apus/sleep.hpp>
#include <apus/sql.hpp>

#include <atomic>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

struct counted {
    std::int64_t n;
};

struct task_of_queue {
    std::string what;
};

std::atomic<bool> released = false;

// Waits for a request to /release.
apus::task<> wait_for_release() {
    while (!released) co_await apus::sleep_for(apus::milliseconds(20));
}

void add_statements(apus::app& app, const apus::sql::database& db) {
    app.post("/sql/good", [db]() -> apus::task<std::string> {
        co_return std::to_string((co_await db.one<counted>("select count(*) as n from item")).n);
    });
    app.post("/sql/bad", [db]() -> apus::task<> { co_await db.run("insert into missing (a) values (1)"); });
    app.post("/sql/transaction", [db]() -> apus::task<> {
        co_await db.transaction(
            [](apus::sql::transaction& t) -> apus::task<> { co_await t.run("insert into item (id) values (1)"); });
    });
    // Fails its first attempts as if they had conflicted.
    app.post("/sql/conflict", [db]() -> apus::task<> {
        co_await db.transaction([left = 2](apus::sql::transaction& t) mutable -> apus::task<> {
            if (left-- != 0) co_await t.run("do $$ begin raise exception sqlstate '40001'; end $$");
        });
    });
    app.post("/sql/hold", [db]() -> apus::task<> {
        const auto t = co_await db.begin();
        co_await wait_for_release();
        co_await t.rollback();
    });
}

void add_jobs(apus::app& app, const apus::sql::database& db) {
    const apus::jobs::queue queue(db, {.name = "mails"});
    queue.handle<task_of_queue>(
        [](task_of_queue what) -> apus::task<> {
            if (what.what != "good") co_await apus::fail(500, "this job fails");
        },
        {.attempts = 2, .retry_delay = apus::milliseconds(10)});
    app.post("/jobs/{what}",
             [queue](std::string what) -> apus::task<> { co_await queue.enqueue(task_of_queue{std::move(what)}); });
    queue.start(app);
}

void add_redis(apus::app& app, const std::string& url) {
    if (url.empty()) return;
    const apus::redis::client db(url, {.cache = {.bytes = 100'000}});
    app.check("redis", apus::redis_answers(db), {.timeout = apus::milliseconds(500), .max_age = apus::milliseconds(0)});
    app.post("/redis/set/{value}", [db](std::string value) -> apus::task<> { co_await db.set("key", value); });
    app.get("/redis/get",
            [db]() -> apus::task<std::string> { co_return (co_await db.get<std::string>("key")).value_or("nothing"); });
    app.post("/redis/bad", [db]() -> apus::task<> { co_await db.command<std::int64_t>("INCR", "key"); });
}

void add_nats(apus::app& app, const std::string& url) {
    if (url.empty()) return;
    const apus::nats::client bus(url);
    app.post("/nats/publish", [bus]() -> apus::task<> { co_await bus.publish("shop.orders", "1"); });
    app.post("/nats/request", [bus]() -> apus::task<> { co_await bus.request("shop.nobody", ""); });
    app.post("/nats/stream", [bus]() -> apus::task<> { co_await bus.publish_to_stream("shop.stored", "1"); });
}

void add_middleware(apus::app& app, apus::memory_idempotency_store& keys) {
    auto cached = app.group("/cached");
    cached.use(apus::response_cache());
    cached.get("/{id}", [](std::string id) {
        return apus::response::text(std::move(id)).header("cache-control", "max-age=60");
    });
    auto limited = app.group("/limited");
    limited.use(apus::rate_limit({.requests = 2, .period = apus::seconds(3600), .name = "searches"}));
    limited.get("/rate", [] { return "fine\n"; });
    auto crowded = app.group("/crowded");
    crowded.use(apus::concurrency_limit({.running = 1, .waiting = 0}));
    crowded.get("/", [] { return wait_for_release(); });
    auto orders = app.group("/orders");
    orders.use(apus::idempotency(keys));
    orders.post("/", [] { return "ordered\n"; });
}

apus::duration store_timeout() {
    const std::string set = variable("STORE_TIMEOUT");
    return apus::milliseconds(set.empty() ? 100 : std::stoll(set));
}

// A cache whose second level is on Redis, for all cores and processes: shared_cache_test.py.
struct shared_cache {
    explicit shared_cache(const std::string& url) : db(url, {.connect_timeout = apus::milliseconds(500)}) {}

    apus::redis::client db;
    apus::redis::response_cache_store store{db};
    apus::response_cache pages{{.largest = 200'000, .store = &store, .store_timeout = store_timeout()}};
    apus::redis::cache_relay relay{db, pages};
    std::atomic<int> runs = 0;
};

// The body has the number of runs of the handler in this process.
apus::response page(shared_cache& of, const std::string& id) {
    auto made = apus::response::text(id + " run " + std::to_string(++of.runs));
    made.header("Cache-Control", "max-age=600").header("Cache-Tag", "pages, page-" + id).header("ETag", "\"1\"");
    return made;
}

void add_shared_cache(apus::app& app, shared_cache& of) {
    auto pages = app.group("/shared");
    pages.use(of.pages);
    pages.get("/{id}", [&of](std::string id) { return page(of, id); });
    pages.put("/{id}", [](std::string) {});
    pages.get("/slow/{id}", [&of](std::string id) -> apus::task<apus::response> {
        co_await apus::sleep_for(apus::milliseconds(200));
        co_return page(of, id);
    });
    pages.get("/cookie/{id}", [&of](std::string id) { return page(of, id).header("Set-Cookie", "a=b"); });
    pages.get("/language/{id}", [&of](std::string id) { return page(of, id).header("Vary", "Accept-Language"); });
    pages.get("/large/{size}", [&of](int size) {
        return page(of, std::string(static_cast<std::size_t>(size), 'x')).remove_header("Cache-Tag");
    });
    app.post("/drop/{tag}", [&of](std::string tag) { return of.relay.drop_tag(std::move(tag)); });
    app.get("/runs", [&of] { return std::to_string(of.runs.load()); });
    app.background([&of] { return of.relay.run(); });
}

apus::app make_app(apus::memory_idempotency_store& keys, apus::blocking_pool& pool,
                   std::optional<shared_cache>& cache) {
    apus::app app;
    app.post("/release", [] { released = true; });
    if (const std::string url = variable("DATABASE_URL"); !url.empty()) {
        const apus::sql::database db(url, {.connections = 4});
        add_statements(app, db);
        add_jobs(app, db);
    }
    add_redis(app, variable("REDIS_URL"));
    add_nats(app, variable("NATS_URL"));
    if (const std::string upstream = variable("UPSTREAM"); !upstream.empty())
        app.get("/client/{path}",
                [http = apus::client({.name = "billing"}), upstream](std::string path) -> apus::task<> {
                    co_await http.get(upstream + "/" + path);
                });
    app.get("/pooled",
            [&pool]() -> apus::task<std::string> { co_return std::to_string(co_await pool.run([] { return 42; })); });
    add_middleware(app, keys);
    if (cache) add_shared_cache(app, *cache);
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    apus::memory_idempotency_store keys;
    apus::blocking_pool pool({.threads = 1}, "images");
    std::optional<shared_cache> cache;
    if (const std::string url = variable("REDIS_URL"); !url.empty()) cache.emplace(url);
    return apus::serve([&] { return make_app(keys, pool, cache); }, argc, argv, {.prepare = [] {
                           const std::string url = variable("DATABASE_URL");
                           if (!url.empty()) apus::jobs::migrate(url);
                       }});
}
