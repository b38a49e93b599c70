// SPDX-License-Identifier: Apache-2.0
// A page with a counter, updated by events from the server. Try `curl -N http://127.0.0.1:8080/count`.
#include <apus/app.hpp>
#include <apus/events.hpp>
#include <apus/sleep.hpp>

namespace {

constexpr const char* page = R"(<!doctype html>
<meta charset="utf-8"><title>Counting</title><h1>?</h1>
<script>
new EventSource("/count").addEventListener("number", e => document.querySelector("h1").textContent = e.data);
</script>
)";

// A client that reconnects continues after the last event that it received.
apus::task<> count(apus::event_writer& out) {
    const std::string last(out.last_id());
    for (unsigned long i = last.empty() ? 1 : std::stoul(last) + 1;; ++i) {
        const std::string number = std::to_string(i);
        co_await out.send(number, "number", number);
        co_await apus::sleep_for(apus::milliseconds(100));
    }
}

apus::app make_app() {
    apus::app app;
    app.get("/", [] { return apus::response::html(page); });
    app.get("/count", [] { return apus::events(count, {.retry = apus::seconds(1)}); });
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
