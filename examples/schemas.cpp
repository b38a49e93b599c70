// SPDX-License-Identifier: Apache-2.0
// Examples of the guides about JSON and validation.
#include <apus/app.hpp>
#include <apus/form.hpp>
#include <apus/header.hpp>
#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <apus/openapi.hpp>
#include <apus/query.hpp>
#include <apus/rules.hpp>

#include <chrono>
#include <variant>

namespace {

enum class progress {
    draft,
    published
};

struct article {
    std::int64_t id;
    std::string title;
    std::vector<std::string> tags;
    std::optional<std::string> summary;
    progress state = progress::draft;
    std::chrono::sys_seconds changed;
};

article first_article() {
    return {1,
            "Hello",
            {"news"},
            std::nullopt,
            progress::published,
            std::chrono::sys_seconds(std::chrono::seconds(1'795'350'600))};
}

struct new_user {
    std::string class_;
    std::string note = "none";
    int internal = 0;

    static constexpr apus::field_note fields[] = {
        {.field = "class_", .name = "class", .description = "What may the user do?"},
        {.field = "internal", .skip = true},
    };
};

struct circle {
    double radius;
};
struct rectangle {
    double width, height;
};
struct drawing {
    std::vector<std::variant<circle, rectangle>> shapes;
};

struct even {
    static constexpr std::string_view expected = "an even number";
    static bool holds(const int& n) { return n % 2 == 0; }
};

struct booking {
    apus::text<1, 40> name;
    apus::email email;
    apus::integer<1, 8> seats{2};
    apus::pattern<"[A-Z]{2}-\\d{4}"> code;
    apus::one_of<"window", "aisle"> side{"aisle"};
    apus::list<apus::date, 1, 3> days;
    apus::checked<int, even> room{2};

    apus::result<void> check() const {
        if (seats > 4 && side == "window") return apus::fail(422, "at most 4 seats are at the windows");
        return {};
    }
};

struct search {
    std::string q;
    apus::integer<1, 100> limit{20};
    std::vector<std::string> tag;
};

struct release {
    std::string name;
    std::string notes = "no notes";
};

// Parses the response of another server, which may send more than these fields.
apus::result<release> latest_release(std::string_view text) {
    return apus::from_json<release>(text,
                                    {.ignore_unknown_fields = true, .null_keeps_initial_value = true, .status = 502});
}

apus::app make_app() {
    apus::app app;
    app.mount(apus::openapi_document({.title = "Schemas", .version = "1.0"}));
    app.get("/articles/first", first_article);
    app.post("/articles", [](apus::json<article> in) { return apus::created{*std::move(in)}; });
    app.post("/users", [](apus::json<new_user> in) { return *std::move(in); });
    app.post("/drawings", [](apus::json<drawing> in) { return std::to_string(in->shapes.size()) + " shapes\n"; });
    app.post("/bookings", [](apus::json<booking> in) { return *std::move(in); });
    app.get("/search", [](apus::query<search> find) { return *std::move(find); })
        .summary("Finds articles")
        .tag("search");
    app.post("/search", [](apus::form<search> find) { return *std::move(find); });
    app.get("/report", [](apus::header<"x-tenant", apus::text<1, 20>> tenant,
                          apus::cookie<"theme", std::optional<apus::one_of<"light", "dark">>> theme) {
        return "for " + std::string(*tenant) + (*theme ? ", " + std::string(**theme) : "") + "\n";
    });
    app.post("/any", [](apus::json<apus::json_value> in) -> apus::result<std::string> {
        apus::result<std::int64_t> price = in->get<std::int64_t>("/items/0/price");
        if (!price) return apus::fail(price.error());
        return "the first price is " + std::to_string(*price) + "\n";
    });
    app.post("/releases", [](apus::body_text in) { return latest_release(in); });
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
