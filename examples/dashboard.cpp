// SPDX-License-Identifier: Apache-2.0
// A page that shows the current load of this machine: one task measures it, and every browser gets each value.
// Try `curl -N http://127.0.0.1:8080/load`.
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
    int number;
    double load;
};
using samples = apus::broadcast<sample>;

// Runs on one core, and sends to browsers connected to all cores.
apus::task<> measure(samples to) {
    for (int number = 1;; ++number) {
        double load = 0;
        if (getloadavg(&load, 1) != 1) co_await apus::fail(500, "no load average");
        co_await to.send({number, load});
        co_await apus::sleep_for(apus::milliseconds(200));
    }
}

// Begins with the latest sample. The task is cancelled when the browser disconnects or the server stops.
apus::task<> show(samples from, apus::event_writer& out) {
    auto updates = from.subscribe_from_latest();
    while (auto update = co_await updates.receive()) co_await out.send(*update, {}, std::to_string(update->number));
}

apus::app make_app(const samples& all) {
    apus::app app;
    app.background([all] { return measure(all); });
    app.get("/", [] { return apus::response::html(page); });
    app.get("/load", [all] { return apus::events([all](apus::event_writer& out) { return show(all, out); }); });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    const samples all({.capacity = 16});  // shared by all cores
    return apus::serve([&all] { return make_app(all); }, argc, argv);
}
