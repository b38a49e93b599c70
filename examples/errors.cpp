// SPDX-License-Identifier: Apache-2.0
// Errors with all their properties, and HTML pages or other JSON instead of problem documents.
#include <apus/app.hpp>
#include <apus/json.hpp>

#include <stdexcept>

namespace {

// Browsers name text/html in Accept; other programs usually do not.
bool wants_page(const apus::request& req) { return req.header("accept").contains("text/html"); }

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '<') out += "&lt;";
        else if (c == '&') out += "&amp;";
        else out += c;
    }
    return out;
}

std::optional<apus::response> error_page(apus::request& req, const apus::error& why) {
    if (!wants_page(req)) return std::nullopt;  // the problem document
    std::string page = "<!doctype html><title>Error</title><h1>Something went wrong</h1>";
    if (why.is_exposed()) page += "<p>" + escaped(why.detail());
    return apus::response::html(page).header("vary", "accept");
}

apus::response missing_page(apus::request& req) {
    return apus::response::html("<!doctype html><title>Not found</title><h1>No page at " + escaped(req.path()) +
                                "</h1>");
}

struct old_error {
    int code;
    std::string message;
};

// The error format of version 1 of the API.
old_error old_form(apus::request&, const apus::error& why) {
    return {why.status(), why.is_exposed() ? why.detail() : "internal error"};
}

apus::result<std::string> take_seat(int seat) {
    if (seat == 12)
        return apus::fail(409, "the seat is taken")
            .type("https://example.org/problems/seat-taken")
            .title("Seat taken")
            .with("seat", seat)
            .header("retry-after", "30")
            .cause("held by session 4711");
    return "seat " + std::to_string(seat) + "\n";
}

apus::app make_app() {
    apus::app api;
    api.post("/seats/{seat}", take_seat);
    api.get("/report", []() -> apus::task<std::string> {
        co_await apus::fail(503, "reports are made at night").expose().header("retry-after", "3600");
        co_return "never";
    });
    api.get("/bug", []() -> std::string { throw std::runtime_error("for the log"); });

    apus::app app;
    app.on_error(error_page);
    app.mount("/api", std::move(api));
    apus::app shop;
    shop.not_found(missing_page);
    shop.get("/", [] { return apus::response::html("<!doctype html><title>Shop</title>"); });
    app.mount("/shop", std::move(shop));
    apus::app old;
    old.on_error(old_form);
    old.post("/seats/{seat}", take_seat);
    app.mount("/v1", std::move(old));
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
