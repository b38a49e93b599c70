// SPDX-License-Identifier: Apache-2.0
// Health checks that pass, fail, hang and block, metrics of all kinds, and endpoints on the public listener.
// TEST_CHECKS lists the checks to add, TEST_MOUNTED=1 mounts the endpoints, TEST_ROUTES=N adds N routes.
#include <apus/app.hpp>
#include <apus/metrics.hpp>
#include <apus/sleep.hpp>
#include <apus/task_scope.hpp>
#include <apus/websocket.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

// Shared by all cores, so that a request on any core switches the check on core 0.
std::atomic<bool> good = true;
std::atomic<int> runs = 0, running = 0, most = 0;

struct counted_run {
    counted_run() {
        ++runs;
        most = std::max(most.load(), ++running);
    }
    ~counted_run() { --running; }
};

apus::task<> slow() {
    const counted_run counted;
    co_await apus::sleep_for(apus::milliseconds(100));
}

apus::task<> hanging() {
    const counted_run counted;
    co_await apus::sleep_for(apus::seconds(60));
}

apus::task<> switched() {
    if (!good) co_await apus::fail(503, "line one\nline two \"quoted\"").cause("the switch is off");
}

// Waits until the core has handled other events, then blocks the core.
apus::task<> queued(int milliseconds) {
    co_await apus::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

void add_checks(apus::app& app, std::string_view wanted) {
    if (wanted.contains("switched")) app.check("switched", switched, {.max_age = apus::milliseconds(0)});
    if (wanted.contains("slow")) app.check("slow", slow, {.max_age = apus::seconds(60)});
    if (wanted.contains("hanging")) app.check("hanging", hanging, {.timeout = apus::milliseconds(300)});
    if (wanted.contains("optional")) app.check("optional", [] { return false; }, {.required = false});
    if (wanted.contains("throwing"))
        app.check("throwing", []() -> apus::result<void> { throw std::runtime_error("thrown"); });
    if (wanted.contains("living"))
        app.check("living", [] { return good.load(); }, {.max_age = apus::milliseconds(0), .liveness = true});
    if (wanted.contains("disk")) app.check("disk", apus::disk_space("/", 1));
    if (wanted.contains("full")) app.check("full", apus::disk_space("/", ~std::uint64_t{0}));
}

void add_metrics(apus::app& app) {
    const apus::metrics::counter orders(app, "shop_orders_total", "Orders \\ by\nway",
                                        {{"way", {"card", "ca\"sh\n\\"}}});
    const apus::metrics::gauge waiting(app, "shop_waiting", "Customers");
    const apus::metrics::gauge newest(app, "shop_newest", "Newest", {}, apus::metrics::combine::max);
    constexpr double bounds[] = {1, 10.5};
    const apus::metrics::histogram cost(app, "shop_cost_euros", "Costs", bounds);
    app.post("/orders/{way}", [=](std::string way) {
        orders.with(way).add();
        waiting.add(2);
        waiting.subtract(0.5);
        newest.set(7);
        cost.observe(10);
        cost.observe(200);
        return "ok\n";
    });
}

apus::app make_app() {
    apus::app app;
    const char* const checks = std::getenv("TEST_CHECKS");
    add_checks(app, checks ? checks : "");
    add_metrics(app);
    app.get("/", [] { return "hello\n"; });
    app.get("/items/{id}", [](int id) { return std::to_string(id) + '\n'; });
    app.post("/echo", [](apus::body_text body) { return std::string(body); });
    app.get("/fail", []() -> apus::result<std::string> { return apus::fail(500, "broken"); });
    app.get("/sleep/{ms}", [](std::uint32_t ms) -> apus::task<std::string> {
        co_await apus::sleep_for(apus::milliseconds(ms));
        co_return "slept\n";
    });
    app.post("/block/{ms}", [](std::uint32_t ms) {
        std::this_thread::sleep_for(std::chrono::milliseconds(ms));
        return "blocked\n";
    });
    app.post("/queue/{tasks}/{ms}", [](int tasks, int ms) -> apus::task<std::string> {
        apus::task_scope scope;
        for (int i = 0; i < tasks; ++i) scope.spawn(queued(i == 0 ? ms : 0));
        co_await scope.join();
        co_return "done\n";
    });
    app.post("/switch/{on}", [](bool on) {
        good = on;
        return "switched\n";
    });
    app.get("/runs", [] { return std::to_string(runs.load()) + ' ' + std::to_string(most.load()); });
    app.websocket("/socket", [](apus::websocket s) -> apus::task<> {
        while (co_await s.receive()) {}
    });
    if (std::getenv("TEST_MOUNTED")) {
        app.mount("/internal", apus::health_endpoints());
        app.mount("/internal", apus::metrics_endpoint());
    }
    const char* const routes = std::getenv("TEST_ROUTES");
    for (int i = 0; routes && i < std::atoi(routes); ++i)
        app.get(apus::runtime_route("/many/" + std::to_string(i)), [] { return "one of many\n"; });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    apus::serve_options options{.stalled_after = apus::milliseconds(500)};
    // With sanitizers and on a busy machine, a thousand scrapes take longer than the default deadlines.
    options.limits.head = options.limits.handler = apus::seconds(60);
    options.limits.rate_window = apus::seconds(120);  // scrapers that are not reading yet
    return apus::serve(make_app, argc, argv, options);
}
