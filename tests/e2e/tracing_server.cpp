// SPDX-License-Identifier: Apache-2.0
// Handlers with spans of all kinds. TEST_SAMPLE, TEST_KEEP_ERRORS, TEST_QUEUE, TEST_TIMEOUT_MS and TEST_FLUSH_MS set
// options of tracing; TEST_UPSTREAM is the URL of another server. TEST_TRACING=0 disables tracing.
#include <apus/app.hpp>
#include <apus/client.hpp>
#include <apus/log.hpp>
#include <apus/sleep.hpp>
#include <apus/sql.hpp>
#include <apus/tracing.hpp>
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
                         .pass_baggage = true,
                         .queue = static_cast<std::size_t>(number("TEST_QUEUE", "4194304")),
                         .interval = apus::milliseconds(50),
                         .timeout = apus::milliseconds(number("TEST_TIMEOUT_MS", "10000")),
                         .flush = apus::milliseconds(number("TEST_FLUSH_MS", "2000"))});
}

apus::task<> part(const apus::span& of, const char* name) {
    auto span = of.child(name);
    co_await apus::sleep_for(apus::milliseconds(2));
}

apus::app make_app(const apus::sql::database& db) {
    apus::app app;
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
            (void)co_await http.get(option("TEST_UPSTREAM", "http://127.0.0.1:1") + "/seen?token=secret");
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

}  // namespace

int main(int argc, char** argv) {
    const apus::sql::database db("sqlite::memory:");
    return apus::serve([&] { return make_app(db); }, argc, argv, {.tracing = tracing()});
}
