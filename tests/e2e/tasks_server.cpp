// SPDX-License-Identifier: Apache-2.0
// Tasks that wait for everything that a task can wait for. The test finds the lines by their `// at:` comments.
// TEST_DATABASE: URL of a database with a table `t`.
#include <apus/app.hpp>
#include <apus/channel.hpp>
#include <apus/client.hpp>
#include <apus/events.hpp>
#include <apus/request_id.hpp>
#include <apus/sleep.hpp>
#include <apus/sql.hpp>
#include <apus/task_scope.hpp>
#include <apus/timeout.hpp>
#include <apus/websocket.hpp>
#include <apus/when_all.hpp>
#include <apus/when_any.hpp>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

apus::task<std::string> sleeping(std::int64_t ms) {
    co_await apus::sleep_for(apus::milliseconds(ms));  // at: sleeping
    co_return "slept\n";
}

apus::task<std::string> middle(std::int64_t ms) {
    std::string text = co_await sleeping(ms);  // at: middle
    co_return text;
}

apus::task<std::string> nested(std::int64_t ms) {
    const auto outcome = co_await middle(ms).outcome();  // at: nested
    co_return *outcome;
}

apus::task<> receiving(apus::channel<int> from) {
    (void)co_await from.receive();  // at: receiving
}

apus::task<std::string> both() {
    co_await apus::when_all(sleeping(3'600'000), receiving(apus::channel<int>(0)));  // at: both
    co_return "";
}

apus::task<std::string> first(std::int64_t ms) {
    co_await apus::when_any(sleeping(ms), receiving(apus::channel<int>(0)));  // at: first
    co_return co_await sleeping(3'600'000);                                   // at: after first
}

apus::task<> forever() {
    co_await apus::sleep_for(apus::seconds(86'400));  // at: forever
}

apus::task<std::string> scoped() {
    apus::task_scope scope({.name = "mails"});
    scope.spawn(forever());
    co_await scope.join();  // at: scoped
    co_return "";
}

apus::task<apus::response> around(apus::request& req, apus::next_handler next) {
    apus::response out = co_await next(req);  // at: around
    co_return out;
}

void add_outside_waits(apus::app& app) {
    app.get("/client/{port}", [http = apus::client()](std::uint16_t port) -> apus::task<std::string> {
        const std::string url = "http://127.0.0.1:" + std::to_string(port) + "/";
        auto res = co_await http.get(url);  // at: client
        co_return std::string(res.body());
    });
    const char* const database = std::getenv("TEST_DATABASE");
    if (!database) return;
    app.post("/sql", [db = apus::sql::database(database)]() -> apus::task<std::string> {
        co_await db.run("insert into t values (1)");  // at: sql
        co_return "inserted\n";
    });
}

apus::app make_app() {
    apus::app app;
    app.use(apus::request_ids());
    app.get("/", [] { return "hello\n"; });
    app.get("/nested/{ms}", nested);
    app.get("/both", both);
    app.get("/first/{ms}", first);
    app.get("/scoped", scoped);
    app.get("/around", apus::with(around), [] { return sleeping(3'600'000); });
    app.get("/bounded", apus::with(apus::timeout(apus::milliseconds(500))), [] { return sleeping(3'600'000); });
    app.get("/events", [] {
        return apus::events([](apus::event_writer& out) -> apus::task<> {
            co_await out.send("first");
            co_await forever();  // at: events
        });
    });
    app.websocket("/socket", [](apus::websocket s) -> apus::task<> {
        while (co_await s.receive()) {}  // at: socket
    });
    app.post("/spawn/{ms}", [&tasks = app.tasks()](std::int64_t ms) {
        tasks.spawn([](std::int64_t time) -> apus::task<> {
            co_await sleeping(time);  // at: spawned
        }(ms));
        return "spawned\n";
    });
    app.post("/block/{ms}", [](std::uint32_t ms) {
        std::this_thread::sleep_for(std::chrono::milliseconds(ms));
        return "blocked\n";
    });
    app.background(forever);
    add_outside_waits(app);
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    // With sanitizers and on a busy machine, a thousand scrapes take longer than the default deadlines.
    apus::serve_options options;
    options.limits.head = options.limits.handler = apus::seconds(120);
    return apus::serve(make_app, argc, argv, options);
}
