// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/header.hpp>
#include <apus/rules.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

namespace {

enum class color {
    red,
    green
};

template <class... T>
struct shown_as {
    static std::string of(const std::string& value) { return value; }
    static std::string of(std::int64_t value) { return std::to_string(value); }
    static std::string of(color value) { return value == color::red ? "red" : "green"; }
    template <class Held>
    static std::string of(const std::optional<Held>& value) {
        return value ? "(" + of(*value) + ")" : "none";
    }
};

template <class Held>
void show(apus::app& app, const char* at) {
    app.get(apus::runtime_route{at}, [](Held held) { return shown_as<>::of(*held); });
}

apus::app make_app() {
    apus::app app;
    show<apus::header<"X-Name">>(app, "/name");
    show<apus::header<"x-name", apus::text<2, 4>>>(app, "/short");
    show<apus::header<"x-number", int>>(app, "/number");
    show<apus::header<"x-number", std::optional<apus::integer<1, 5>>>>(app, "/maybe");
    show<apus::header<"x-color", color>>(app, "/color");
    show<apus::cookie<"theme", apus::one_of<"light", "dark">>>(app, "/theme");
    show<apus::cookie<"theme", std::optional<std::string>>>(app, "/any-theme");
    show<apus::cookie<"visits", std::uint8_t>>(app, "/visits");
    app.post("/both/{id}",
             [](apus::header<"x-number", int> number, int id, apus::cookie<"theme"> theme, apus::body_text body)
                 -> apus::task<std::string> { co_return std::to_string(*number + id) + *theme + std::string(body); });
    return app;
}

std::string told(const apus::test::response& got) {
    if (got.status == 200) return got.body;
    if (got.header("content-type") != "application/problem+json") return got.text();
    const auto at = got.body.find("\"detail\":\"") + 10;
    return std::to_string(got.status) + " " + got.body.substr(at, got.body.rfind("\"}") - at);
}

const struct {
    const char* target;
    std::vector<apus::field_view> sent;
    const char* wanted;
} answers[] = {
    {"/name", {{"x-NAME", "Ada"}}, "Ada"},
    {"/name", {{"x-name", ""}}, ""},
    {"/name", {{"x-name", "a"}, {"accept", "*/*"}, {"X-Name", "b, c"}, {"x-name", "d"}}, "a, b, c, d"},
    {"/name", {{"x-name", "\xc3\xa9"}}, "\xc3\xa9"},
    {"/name", {{"x-name", "\xe9"}}, "400 the header field `X-Name` must be UTF-8"},
    {"/name", {}, "400 the header field `X-Name` is missing: it must be a text"},
    {"/name", {{"x-name2", "a"}, {"x-nam", "a"}}, "400 the header field `X-Name` is missing: it must be a text"},
    {"/short", {{"x-name", "abcd"}}, "abcd"},
    {"/short", {{"x-name", "a"}, {"x-name", "b"}}, "a, b"},
    {"/short",
     {{"x-name", "abcde"}},
     "400 the header field `x-name` must be a text of 2 to 4 characters, not \\\"abcde\\\""},
    {"/short", {{"x-name", ""}}, "400 the header field `x-name` must be a text of 2 to 4 characters, not \\\"\\\""},
    {"/short",
     {{"x-name", "0123456789012345678901234567890123456789!"}},
     "400 the header field `x-name` must be a text of 2 to 4 characters, not "
     "\\\"0123456789012345678901234567890123456789...\\\""},
    {"/number", {{"x-number", "-7"}}, "-7"},
    {"/number",
     {{"x-number", "7"}, {"x-number", "8"}},
     "400 the header field `x-number` must be an integer from -2147483648 to 2147483647, not \\\"7, 8\\\""},
    {"/number",
     {{"x-number", "7x"}},
     "400 the header field `x-number` must be an integer from -2147483648 to 2147483647, not \\\"7x\\\""},
    {"/number",
     {{"x-number", "+7"}},
     "400 the header field `x-number` must be an integer from -2147483648 to 2147483647, not \\\"+7\\\""},
    {"/number", {}, "400 the header field `x-number` is missing: it must be an integer from -2147483648 to 2147483647"},
    {"/maybe", {}, "none"},
    {"/maybe", {{"x-number", "5"}}, "(5)"},
    {"/maybe", {{"x-number", "6"}}, "400 the header field `x-number` must be an integer from 1 to 5, not \\\"6\\\""},
    {"/maybe", {{"x-number", ""}}, "400 the header field `x-number` must be an integer from 1 to 5, not \\\"\\\""},
    {"/color", {{"x-color", "green"}}, "green"},
    {"/color",
     {{"x-color", "Green"}},
     "400 the header field `x-color` must be \\\"red\\\" or \\\"green\\\", not \\\"Green\\\""},
    {"/theme", {{"cookie", "a=b; theme=dark; theme=light"}}, "dark"},
    {"/theme", {{"cookie", "a=b"}, {"cookie", "theme=light"}}, "light"},
    {"/theme",
     {{"cookie", "Theme=dark"}},
     "400 the cookie `theme` is missing: it must be \\\"light\\\" or \\\"dark\\\""},
    {"/theme",
     {{"cookie", "theme=\"dark\""}},
     "400 the cookie `theme` must be \\\"light\\\" or \\\"dark\\\", not \\\"\\\"dark\\\"\\\""},
    {"/theme", {}, "400 the cookie `theme` is missing: it must be \\\"light\\\" or \\\"dark\\\""},
    {"/any-theme", {}, "none"},
    {"/any-theme", {{"cookie", "theme="}}, "()"},
    {"/any-theme", {{"cookie", "theme=a%20b"}}, "(a%20b)"},
    {"/any-theme", {{"cookie", "theme=\xff"}}, "400 the cookie `theme` must be UTF-8"},
    {"/visits", {{"cookie", "visits=255"}}, "255"},
    {"/visits",
     {{"cookie", "visits=256"}},
     "400 the cookie `visits` must be an integer from 0 to 255, not \\\"256\\\""},
};

}  // namespace

TEST_CASE("header fields and cookies are handler parameters") {
    apus::test::client client(make_app());
    for (const auto& row : answers) {
        std::string request = std::string("GET ") + row.target + " HTTP/1.1\r\nHost: x\r\n";
        for (const auto& f : row.sent) request.append(f.name).append(": ").append(f.value).append("\r\n");
        INFO(request);
        CHECK(told(client.send_raw(request + "\r\n")) == row.wanted);
    }
}

TEST_CASE("header fields and cookies combine with other parameters") {
    apus::test::client client(make_app());
    CHECK(told(client.post("/both/2", " body", {{"x-number", "40"}, {"cookie", "theme=dark"}})) == "42dark body");
    CHECK(told(client.post("/both/x", "", {{"x-number", "40"}, {"cookie", "theme=dark"}}))
              .starts_with("400 `id` must be an integer"));
    CHECK(told(client.post("/both/2", "", {{"x-number", "40"}})) ==
          "400 the cookie `theme` is missing: it must be a text");
}
