// SPDX-License-Identifier: Apache-2.0
// One task measures the load; every browser gets each value.
#include <apus/app.hpp>
#include <apus/broadcast.hpp>
#include <apus/events.hpp>
#include <apus/json.hpp>
#include <apus/sleep.hpp>

#include <cstdlib>

namespace {

constexpr const char* page = R"(<!doctype html>
<meta charset="utf-8"><title>Load</title><h1>?</h1>
<script>
new EventSource("/load").onmessage = e => document.querySelector("h1").textContent = JSON.parse(e.data).load;
</script>
)";

struct sample {
    std::uint64_t number;
    double load;
};
using samples = apus::broadcast<sample>;

apus::task<> measure(samples to) {
    for (std::uint64_t number = 1;; ++number) {
        double load = 0;
        if (getloadavg(&load, 1) != 1) co_await apus::fail(500, "no load average");
        co_await to.send({number, load});
        co_await apus::sleep_for(apus::milliseconds(100));
    }
}

apus::task<> show(samples from, apus::event_writer& out) {
    auto updates = from.subscribe_from_latest();
    while (auto update = co_await updates.receive()) co_await out.send(*update, {}, std::to_string(update->number));
}

apus::app make_app(const samples& all) {
    apus::app app;
    app.get("/", [] { return apus::response::html(page); });
    app.get("/load", [all] { return apus::events([all](apus::event_writer& out) { return show(all, out); }); });
    app.background([all] { return measure(all); });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    const samples all({.capacity = 16});  // shared by all cores
    return apus::serve([&] { return make_app(all); }, argc, argv);
}
