// SPDX-License-Identifier: Apache-2.0
// One resource, as JSON for programs and as an HTML page for browsers.
#include <apus/app.hpp>
#include <apus/json.hpp>
#include <apus/negotiation.hpp>

struct city {
    std::string name;
    int people;
};

apus::app make_app() {
    apus::app app;
    app.get("/cities/{name}", [](std::string_view name, apus::negotiation wanted) -> apus::result<apus::response> {
        if (name != "Bern") return apus::fail(404, "unknown city");
        city found{"Bern", 134'506};
        const auto page = [&] { return "<h1>" + found.name + "</h1><p>" + std::to_string(found.people) + " people\n"; };
        return wanted.choose(apus::offer<"application/json">([&] { return found; }), apus::offer<"text/html">(page));
    });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
