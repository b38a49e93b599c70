// SPDX-License-Identifier: Apache-2.0
#include <apus/json.hpp>
#include <apus/negotiation.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;

namespace {

struct todo {
    int id;
    std::string title;
};

std::string markup(const todo& t) { return "<p>" + t.title + "</p>"; }

app todos() {
    app a;
    a.get("/todos/{id}", [](int id, negotiation wanted) {
        const todo found{id, "tea"};
        return wanted.choose(offer<"application/json">([&] { return found; }),
                             offer<"text/html">([&] { return response::html(markup(found)); }), offer<"text/csv">([&] {
                                 return "id,title\r\n" + std::to_string(found.id) + ',' + found.title + "\r\n";
                             }),
                             offer<"application/vnd.todo+json">([&] { return found; }));
    });
    return a;
}

}  // namespace

TEST_CASE("the client's preference decides, then the order of the server") {
    struct row {
        const char* accept;
        const char* type;
        const char* body;
    };
    const char* const json = R"({"id":7,"title":"tea"})";
    const row rows[] = {
        {"application/json", "application/json", json},
        {"*/*", "application/json", json},
        {"", "application/json", json},
        {"nonsense", "application/json", json},
        {"text/html", "text/html; charset=utf-8", "<p>tea</p>"},
        {"text/*", "text/html; charset=utf-8", "<p>tea</p>"},
        {"text/csv", "text/csv; charset=utf-8", "id,title\r\n7,tea\r\n"},
        {"text/csv, text/html;q=0.9", "text/csv; charset=utf-8", "id,title\r\n7,tea\r\n"},
        {"application/vnd.todo+json", "application/vnd.todo+json", json},
        {"application/*", "application/json", json},
        {"application/json;q=0, */*;q=0.1", "text/html; charset=utf-8", "<p>tea</p>"},
        {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8", "<p>tea</p>"},
    };
    test::client to(todos());
    for (const auto& row : rows) {
        CAPTURE(row.accept);
        const auto got = to.get("/todos/7", {{"accept", row.accept}});
        CHECK(got.status == 200);
        CHECK(got.header("content-type") == row.type);
        CHECK(got.header("vary") == "Accept");
        CHECK(got.body == row.body);
    }
    CHECK(to.get("/todos/7").header("content-type") == "application/json");
    const auto head = to.head("/todos/7", {{"accept", "text/html"}});
    CHECK(head.header("content-type") == "text/html; charset=utf-8");
    const auto lines = to.get("/todos/7", {{"accept", "image/png"}, {"accept", "text/csv"}});
    CHECK(lines.header("content-type") == "text/csv; charset=utf-8");
}

TEST_CASE("406 lists the available representations") {
    test::client to(todos());
    for (const char* accept :
         {"image/png", "text/plain", "*/*;q=0", "text/html;q=0, application/*;q=0, text/csv;q=0"}) {
        CAPTURE(accept);
        const auto got = to.get("/todos/7", {{"accept", accept}});
        CHECK(got.status == 406);
        CHECK(got.header("content-type") == "application/problem+json");
        CHECK(got.header("vary") == "Accept");
        CHECK(got.body.contains(
            "available media types: application/json, text/html, text/csv or application/vnd.todo+json"));
    }
}

TEST_CASE("only the chosen representation is generated; its errors are the response") {
    int made = 0;
    app a;
    a.get("/", [&made](negotiation wanted) {
        return wanted.choose(offer<"text/plain">([&] { return ++made, "text"; }),
                             offer<"application/json">([&]() -> result<todo> { return ++made, fail(409, "not now"); }),
                             offer<"text/csv">([&]() -> std::optional<std::string> { return ++made, std::nullopt; }),
                             offer<"text/html">([&] {
                                 ++made;
                                 response res(201);
                                 res.header("vary", "Cookie").body("<p>", "text/html");
                                 return res;
                             }));
    });
    a.get("/waits", [](negotiation wanted) -> task<response> {
        const std::string text = co_await [](const char* said) -> task<std::string> { co_return said; }("late");
        response res = wanted.choose(offer<"text/plain">([&] { return text; }));
        co_return res;
    });
    test::client to(std::move(a));
    CHECK(to.get("/").body == "text");
    CHECK(made == 1);
    const auto conflict = to.get("/", {{"accept", "application/json"}});
    CHECK(conflict.status == 409);
    CHECK(conflict.header("content-type") == "application/problem+json");
    CHECK(conflict.header("vary") == "Accept");
    CHECK(to.get("/", {{"accept", "text/csv"}}).status == 404);
    const auto own = to.get("/", {{"accept", "text/html"}});
    CHECK(own.status == 201);
    CHECK(own.header("vary") == "Cookie, Accept");
    CHECK(own.header("content-type") == "text/html");
    CHECK(made == 4);
    CHECK(to.get("/waits").body == "late");
}
