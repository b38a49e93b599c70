// SPDX-License-Identifier: Apache-2.0
// Health checks and metrics of the program, on an address of their own: `--admin 127.0.0.1:9090`.
#include <apus/app.hpp>
#include <apus/heap_profile.hpp>
#include <apus/metrics.hpp>
#include <apus/sql.hpp>

#include <chrono>

APUS_PROFILE_HEAP();

namespace {

// Fails if the clock of the machine is not set.
apus::result<void> clock_is_set() {
    using namespace std::chrono;
    if (system_clock::now() < sys_days(2020y / January / 1)) return apus::fail(503, "the clock is not set");
    return {};
}

apus::app make_app(const apus::sql::database& db) {
    apus::app app;
    app.check("database", apus::database_answers(db), {.timeout = apus::seconds(1)});
    app.check("disk", apus::disk_space("/var/tmp", 100 << 20), {.required = false});
    app.check("clock", clock_is_set);

    const apus::metrics::counter orders(app, "shop_orders_total", "Accepted orders", {{"payment", {"card", "cash"}}});
    const apus::metrics::gauge packing(app, "shop_packing", "Orders that are being packed");
    constexpr double euros[] = {10, 50, 100, 500};
    const apus::metrics::histogram values(app, "shop_order_euros", "Orders by value", euros);

    app.post("/orders/{payment}/{euros}", [=](std::string_view payment, double value) {
        orders.with(payment).add();
        values.observe(value);
        packing.add();
        return "accepted\n";
    });
    app.post("/packed", [=] {
        packing.subtract();
        return "packed\n";
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    const apus::sql::database db("sqlite::memory:");
    return apus::serve([&] { return make_app(db); }, argc, argv,
                       {.admin = "127.0.0.1:9090", .readiness_grace = apus::seconds(5)});
}
