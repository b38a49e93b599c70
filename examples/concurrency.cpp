// SPDX-License-Identifier: Apache-2.0
// Concurrent tasks within a request. Try `curl http://127.0.0.1:8080/users/7`.
#include <apus/app.hpp>
#include <apus/channel.hpp>
#include <apus/log.hpp>
#include <apus/sleep.hpp>
#include <apus/task_scope.hpp>
#include <apus/when_all.hpp>
#include <apus/when_any.hpp>

#include <algorithm>

namespace {

// Each of these functions is a placeholder for a request to another service.
apus::task<std::string> find_name(int id) {
    co_await apus::sleep_for(apus::milliseconds(20));
    co_return "user " + std::to_string(id);
}

apus::task<int> count_orders(int id) {
    co_await apus::sleep_for(apus::milliseconds(20));
    if (id > 999) co_await apus::fail(404, "no such user");
    co_return id % 10;
}

// Takes 20 ms, not 40. If one fails, the other is cancelled and the client gets the error.
apus::task<std::string> summary(int id) {
    auto [name, orders] = co_await apus::when_all(find_name(id), count_orders(id));
    co_return name + " has " + std::to_string(orders) + " orders\n";
}

// Uses the response of the first replica; the others are cancelled.
apus::task<std::string> fastest() {
    auto replica = [](int number) -> apus::task<int> {
        co_await apus::sleep_for(apus::milliseconds(10 * number));
        co_return number;
    };
    std::vector<apus::task<int>> replicas;
    for (int number : {3, 1, 2}) replicas.push_back(replica(number));
    auto [index, value] = co_await apus::when_any(std::move(replicas));
    co_return "replica " + std::to_string(value) + " was first\n";
}

apus::task<> add_price(std::string of, int& total) {
    co_await apus::sleep_for(apus::milliseconds(20));
    if (of == "nothing") co_await apus::fail(404, "unknown item");
    total += static_cast<int>(of.size());
}

// One task per item. `total` outlives the scope, so the tasks may refer to it.
apus::task<std::string> price(std::string items) {
    int total = 0;
    apus::task_scope scope;
    for (std::size_t from = 0; from <= items.size();) {
        const std::size_t end = std::min(items.find(',', from), items.size());
        scope.spawn(add_price(items.substr(from, end - from), total));
        from = end + 1;
    }
    co_await scope.join();
    co_return std::to_string(total) + "\n";
}

apus::task<> send_mail(std::string to) {
    co_await apus::sleep_for(apus::milliseconds(50));
    apus::log::info("mail sent", {"to", to});
}

using orders = apus::channel<std::string>;

apus::task<> pack(orders from) {
    while (auto order = co_await from.receive()) {
        co_await apus::sleep_for(apus::milliseconds(10));
        apus::log::info("packed", {"order", *order});
    }
}

apus::task<> report(orders of) {
    apus::log::info("orders", {"waiting", of.size()});
    co_return;
}

apus::app make_app(const orders& all) {
    apus::app app;
    app.get("/users/{id}", summary);
    app.get("/fastest", fastest);
    app.get("/price/{items}", price);
    app.post("/welcome/{name}", [&tasks = app.tasks()](std::string name) {
        tasks.spawn(send_mail(std::move(name)));
        return apus::no_content();
    });
    app.post("/orders", [all](apus::body_text order) {
        if (all.try_send(std::string(order))) return apus::response(202);
        return apus::response(503);
    });
    app.background([all] { return pack(all); }, apus::runs_on::every_core);
    app.every(apus::seconds(60), [all] { return report(all); });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    const orders all(1'000);  // shared by all cores
    return apus::serve([&all] { return make_app(all); }, argc, argv);
}
