// SPDX-License-Identifier: Apache-2.0
// Handlers with spans of all kinds. TEST_SAMPLE, TEST_KEEP_ERRORS, TEST_KEEP_SLOWER_MS, TEST_MIDDLEWARE, TEST_LOGS,
// TEST_QUEUE, TEST_INTERVAL_MS, TEST_TIMEOUT_MS and TEST_FLUSH_MS set options of tracing; TEST_UPSTREAM is the URL of
// another server, TEST_REDIS of a Redis server, TEST_DATABASE of a database for jobs. TEST_PERIODIC=1 starts periodic
// work. TEST_TRACING=0 disables tracing.
#include <apus/app.hpp>
#include <apus/blocking.hpp>
#include <apus/client.hpp>
#include <apus/jobs.hpp>
#include <apus/log.hpp>
#include <apus/redis.hpp>
#include <apus/secret.hpp>
#include <apus/sleep.hpp>
#include <apus/sql.hpp>
#include <apus/tracing.hpp>
#include <apus/websocket.hpp>
#include <apus/when_all.hpp>

#include <cstdlib>
#include <string>

namespace {

std::string option(const char* name, const char* otherwise) {
    const char* const value = std::getenv(name);
    return value ? value : otherwise;
}

std::int64_t number(const char* name, const char* otherwise) { return std::stoll(option(name, otherwise)); }

apus::tracer tracing() {
    if (option("TEST_TRACING", "1") == "0") return {};
    return apus::tracer({.service = "test",
                         .headers = {{"x-token", "secret"}},
                         .resource = {{"deployment.environment.name", "e2e"}},
                         .sample = std::stod(option("TEST_SAMPLE", "1")),
                         .keep_errors = number("TEST_KEEP_ERRORS", "0") == 1,
                         .keep_slower = apus::milliseconds(number("TEST_KEEP_SLOWER_MS", "0")),
                         .pass_baggage = true,
                         .middleware = number("TEST_MIDDLEWARE", "0") == 1,
                         .logs = number("TEST_LOGS", "0") == 1 ? apus::log::level::info : apus::log::level::off,
                         .queue = static_cast<std::size_t>(number("TEST_QUEUE", "4194304")),
                         .interval = apus::milliseconds(number("TEST_INTERVAL_MS", "50")),
                         .timeout = apus::milliseconds(number("TEST_TIMEOUT_MS", "10000")),
                         .flush = apus::milliseconds(number("TEST_FLUSH_MS", "2000"))});
}

apus::task<> part(const apus::span& of, const char* name) {
    auto span = of.child(name);
    co_await apus::sleep_for(apus::milliseconds(2));
}

std::string upstream() { return option("TEST_UPSTREAM", "http://127.0.0.1:1"); }

struct letter {
    std::int64_t number;
    apus::secret<std::string> code;
};

apus::task<> print(letter job, apus::jobs::context& c, apus::client http) {
    auto span = apus::span("print");
    apus::log::info("printing", {"number", job.number});
    (void)co_await http.get(upstream() + "/printer");
    if (job.number == 13 && c.attempt() == 1) co_await apus::fail(503, "no paper");
}

void add_jobs(apus::app& app, const std::string& url) {
    const apus::sql::database db(url);
    const apus::jobs::queue jobs(db);
    jobs.handle<letter>([http = apus::client()](letter job, apus::jobs::context& c) { return print(job, c, http); },
                        {.retry_delay = apus::milliseconds(1)});
    app.post("/letters/{number}", [jobs](std::int64_t number) -> apus::task<std::string> {
        const auto added = co_await jobs.enqueue(letter{number, apus::secret<std::string>("hidden-code")});
        co_return std::to_string(added.id) + "\n";
    });
    jobs.start(app);
}

void add_redis(apus::app& app, const std::string& url) {
    app.get("/redis", [redis = apus::redis::client(url)]() -> apus::task<std::string> {
        co_await redis.set("hidden-key", "hidden-value");
        apus::redis::batch both;
        both.add("GET", "hidden-key").add("STRLEN", "hidden-key");
        (void)co_await redis.run(both);
        (void)co_await redis.command<>("LPUSH", "hidden-key", "hidden-value").outcome();
        co_return "done\n";
    });
}

struct named {
    apus::result<void> operator()(apus::request&) const { return {}; }
};

apus::app make_app(const apus::sql::database& db) {
    apus::app app;
    app.use(named());
    app.use([](apus::request& req, apus::next_handler next) -> apus::task<apus::response> {
        co_return co_await next(req);
    });
    if (const auto url = option("TEST_DATABASE", ""); !url.empty()) add_jobs(app, url);
    if (const auto url = option("TEST_REDIS", ""); !url.empty()) add_redis(app, url);
    if (number("TEST_PERIODIC", "0") == 1)
        app.every(apus::seconds(3600), [http = apus::client()]() -> apus::task<> {
            (void)co_await http.get(upstream() + "/periodic").outcome();
        });
    app.websocket("/echo", [](apus::websocket peer) -> apus::task<> {
        while (auto message = co_await peer.receive()) {
            const auto span = apus::span("echo");
            co_await peer.send(*message);
        }
    });
    app.get("/blocking", []() -> apus::task<std::string> {
        co_await apus::blocking([] { apus::log::warn("from a thread"); });
        co_return "done\n";
    });
    app.get("/logs/{count}", [](int count) {
        for (int i = 0; i < count; ++i) apus::log::info("many", {"i", i});
        return "done\n";
    });
    app.get("/hello", [] { return apus::literal("hello\n"); });
    app.get("/fail", []() -> apus::task<std::string> {
        co_await apus::fail(500, "the disk is full");
        co_return "";
    });
    app.get("/sleep/{ms}", [](int ms) -> apus::task<std::string> {
        co_await apus::sleep_for(apus::milliseconds(ms));
        co_return apus::trace_id() + "\n";
    });
    app.get("/log", [] {
        apus::log::warn("noted");
        return apus::trace_id() + "\n";
    });
    app.get("/orders/{id}", [db, http = apus::client()](int id) -> apus::task<std::string> {
        auto span = apus::span("price");
        span.set({"id", id});
        const auto rows = co_await db.one<std::int64_t>("select $1 + 35", std::int64_t{id});
        {
            auto inner = apus::span("ask");
            inner.event("asking", {{"attempt", 1}});
            (void)co_await http.get(upstream() + "/seen?token=secret");
        }
        co_await apus::when_all(part(span, "left"), part(span, "right"));
        co_return std::to_string(rows) + "\n";
    });
    app.get("/many/{count}", [](int count) {
        for (int i = 0; i < count; ++i) apus::span("one").set({"i", i});
        return "done\n";
    });
    return app;
}

void prepare() {
    if (const auto url = option("TEST_DATABASE", ""); !url.empty()) apus::jobs::migrate(url);
}

}  // namespace

int main(int argc, char** argv) {
    const apus::sql::database db("sqlite::memory:");
    return apus::serve([&] { return make_app(db); }, argc, argv, {.tracing = tracing(), .prepare = prepare});
}
