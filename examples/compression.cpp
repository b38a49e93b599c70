// SPDX-License-Identifier: Apache-2.0
// Compressed responses and requests.
#include <apus/app.hpp>
#include <apus/compression.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>

namespace {

std::string report() {
    std::string text;
    for (int line = 1; line <= 2'000; ++line) text += "line " + std::to_string(line) + " of the report\n";
    return text;
}

// Each event is sent before the next one is created.
apus::response count() {
    return apus::stream("text/event-stream", [](apus::writer& out) -> apus::task<> {
        for (int n = 1; n <= 3; ++n) {
            const std::string event = "data: " + std::to_string(n) + "\n\n";
            co_await out.write(event);
            co_await apus::sleep_for(apus::milliseconds(20));
        }
    });
}

// A secret next to text that the client chose: the compressed size would reveal the secret.
apus::response form(apus::request& req) {
    apus::response res;
    res.body("<input name=token value=5f3a90><p>No match for " + std::to_string(req.query().size()) + " letters",
             "text/html; charset=utf-8");
    res.header("cache-control", "no-transform");
    return res;
}

apus::app make_app() {
    apus::app app;
    app.use(
        apus::compress_responses({.prefer = {apus::content_coding::br, apus::content_coding::gzip}, .least = 2048}));
    app.use(apus::decompress_requests());
    app.get("/report", report);
    app.post("/notes", [](apus::body_text note) { return std::to_string(note.bytes.size()) + " bytes\n"; },
             {.body = 100'000});
    app.get("/count", count);
    app.get("/form", form);
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
