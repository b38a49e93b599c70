// SPDX-License-Identifier: Apache-2.0
// Every kind of route, what handlers may take, and what they may return.
#include <apus/app.hpp>
#include <apus/query.hpp>
#include <apus/redirect.hpp>
#include <apus/url.hpp>

#include <stdexcept>
#include <variant>

namespace {

apus::app paths() {
    apus::app app;
    app.get("/users/new", [] { return "a form\n"; });
    app.get("/users/{id}", [](int id) { return "user " + std::to_string(id) + "\n"; });
    app.get("/users/{id}/posts/{slug}",
            [](int id, std::string_view slug) { return std::to_string(id) + " wrote " + std::string(slug) + "\n"; });
    app.get("/files/{path...}", [](std::string_view path) { return "file " + std::string(path) + "\n"; });
    for (const std::string language : {"en", "de"})
        app.get(apus::runtime_route{"/" + language + "/{page}"},
                [language](std::string_view page) { return language + " " + std::string(page) + "\n"; });
    return app;
}

apus::app parameters() {
    apus::app app;
    app.put("/notes/{id}", [](unsigned id, apus::body_text text) {
        return "note " + std::to_string(id) + " has " + std::to_string(text.bytes.size()) + " bytes\n";
    });
    app.get("/agent", [](apus::request& req) { return std::string(req.header("user-agent")) + "\n"; });
    app.get("/search", [](apus::request& req) { return "query: " + std::string(req.query()) + "\n"; });
    app.get("/orders/{order}/items/{item}", [](apus::path<"item", int> item, apus::path<"order", int> order) {
        return "item " + std::to_string(item) + " of order " + std::to_string(order) + "\n";
    });
    return app;
}

struct search {
    std::string text;
    int page = 1;
};

apus::app answers() {
    apus::app app;
    app.get("/text", [] { return "a text\n"; });
    app.get("/nothing", [] {});
    app.get("/maybe/{n}", [](int n) { return n % 2 ? std::optional<std::string>("odd\n") : std::nullopt; });
    app.get("/failing", []() -> apus::result<std::string> { return apus::fail(409, "not now"); });
    app.post("/made", [] { return apus::created(std::string("the new one\n")).at("/notes/7"); });
    app.put("/files/{name}", [](const std::string& name) {
        return apus::created(name + " is kept\n").at("/answers/files/{name}", name);
    });
    app.get("/archive/{name}", [](std::string_view name) {
        return apus::redirect(308, apus::make_url("/answers/search?{...}", apus::query(search{std::string(name), 1})));
    });
    app.get("/search", [](apus::query<search> find) { return find->text + "\n"; });
    app.post("/accepted", [] { return apus::with_status<202>(std::string("later\n")).header("retry-after", "5"); });
    app.get("/status/{code}", [](int code) { return apus::with_status(code, std::string("as you wish\n")); });
    app.put("/put/{n}", [](int n) -> std::variant<apus::no_content, apus::created<std::string>> {
        if (n == 0) return apus::created(std::string("made\n")).at("/put/0");
        return apus::no_content();
    });
    app.get("/xml",
            [] { return apus::response(203).body("<a/>", "application/xml").header("cache-control", "max-age=60"); });
    app.get("/throwing", []() -> std::string { throw std::runtime_error("for the log"); });
    return app;
}

apus::app make_app() {
    apus::app app;
    app.mount("/paths", paths());
    app.mount("/parameters", parameters());
    app.mount("/answers", answers());
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
