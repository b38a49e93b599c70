// SPDX-License-Identifier: Apache-2.0
// Parsing and comparison of other programs' output: load figures, line counts, API descriptions.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cli/bench/figures.hpp"
#include "cli/work/coverage.hpp"
#include "cli/work/description_rules.hpp"

using namespace apus::cli;

namespace {

// Returns a path measured in rounds with these rates and CPU times.
bench::measured_path path_with(std::vector<double> rates, std::vector<double> cpu) {
    bench::measured_path made{"/"};
    for (std::size_t i = 0; i < rates.size(); ++i)
        made.rounds.push_back({.requests = 100,
                               .requests_per_second = rates[i],
                               .p50 = 90,
                               .p99 = 1200,
                               .p999 = 15'000,
                               .cpu_per_request = cpu[i]});
    return made;
}

std::string compared(bench::measured_path before, bench::measured_path now) {
    std::string text;
    for (const auto& each : bench::differences({.paths = {std::move(before)}}, {.paths = {std::move(now)}}))
        text += (each.worse ? "worse " : "better ") + each.text + "\n";
    return text;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

// Returns the violations in a description with these paths and components.
std::string wrong(const std::string& paths, const std::string& components = "{}") {
    return joined(
        work::wrong_with_description(R"({"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "paths": )" +
                                     paths + R"(, "components": )" + components + "}"));
}

const std::string fine = R"("responses": {"200": {"description": "yes"}})";

}  // namespace

TEST_CASE("figures: the table") {
    const auto table =
        bench::text_of({.paths = {path_with({1000, 1100, 950, 1000, 1010}, {84.12, 84.12, 84.12, 84.12, 84.12})}});
    CHECK(table ==
          "path  requests/s               p50       p99     p99.9  CPU/request  errors\n"
          "/           1000 +- 10 %   90.0 us   1.20 ms   15.0 ms      84.1 us       0\n");
    CHECK(bench::summary_of({"/"}, &bench::round::p50).median == 0);
}

TEST_CASE("figures: a difference requires ranges that do not overlap") {
    const std::vector<double> same{50, 51, 52, 50, 51};
    CHECK(compared(path_with({100, 110, 105, 103, 99}, same), path_with({109, 120, 118, 111, 125}, same)) == "");
    CHECK(compared(path_with({100, 110, 105, 103, 99}, same), path_with({90, 98, 91, 95, 97}, same)) ==
          "worse /: requests/s 95, was 103: 7.8 % less\n");
    CHECK(compared(path_with({100, 100, 100, 100, 100}, same),
                   path_with({100, 100, 100, 100, 101}, {40, 41, 42, 43, 44})) ==
          "better /: CPU/request 42.0 us, was 51.0 us: 17.6 % less\n");
    CHECK(bench::differences({.paths = {{"/a"}}}, {.paths = {path_with({1}, {1})}}).empty());
}

TEST_CASE("figures: saved figures are read back") {
    const bench::report made{
        .connections = 4, .seconds = 0.2, .server_cpus = 1, .apart = true, .paths = {path_with({1.5}, {2.25})}};
    CHECK(bench::json_of(made).starts_with(R"({"connections":4,"seconds":0.2,"server_cpus":1,"apart":true)"));
}

TEST_CASE("figures: only comparable measurements are compared") {
    const auto refused = [](const bench::report& before, const bench::report& now) {
        return bench::condition_differences(before, now);
    };
    const bench::report get{.connections = 1, .io = "epoll", .request = bench::kept_of({})};
    const auto of = [&](const bench::request& what) {
        bench::report made = get;
        made.request = bench::kept_of(what);
        return made;
    };
    CHECK(refused(get, get) == "");
    CHECK(refused(get, {.connections = 2, .server_cpus = 3}) ==
          "with 1 connection and 0 CPUs for the server, now 2 and 3");
    CHECK(refused(get, {.connections = 1, .rate = 5}) == "without a fixed rate, now at 5 requests/s");
    CHECK(refused(get, {.connections = 1, .io = "io_uring", .request = get.request}) ==
          "with the load generator on epoll, now io_uring");
    CHECK(refused(get, {.connections = 1, .request = get.request}) == "");
    CHECK(refused(get, of({.method = "POST", .body = "ab"})) ==
          "with GET requests, now with POST requests with a body of 2 bytes");
    CHECK(refused(of({.body = "a"}), of({.body = "b"})) == "with different headers or a different body");
    CHECK(refused(of({.headers = {"Token: a"}}), of({.headers = {"Token: b"}})) ==
          "with different headers or a different body");
    CHECK(refused(get, of({.status = 409})) == "with GET requests, now with GET requests, expecting status 409");
    CHECK(bench::kept_of({.headers = {"Token: secret"}}).headers == std::vector<std::string>{"token"});
}

TEST_CASE("requests: invalid and reserved headers") {
    for (const char* right : {"A: b", "X-Y:", "Cookie: a=b; c=\xc3\xa4", "a:\tb"})
        CHECK_MESSAGE(!bench::header_error(right), right);
    for (const char* wrong : {"", ": b", "A b: c", "A\r\nB: c", "A: b\r\nC: d", "A: \x7f", "TRANSFER-encoding: chunked",
                              "connection: close", "Content-Length: 0"})
        CHECK_MESSAGE(bench::header_error(wrong), wrong);
}

TEST_CASE("coverage: lines that did not run, of the project's own files") {
    const auto files = work::read_lcov(
        "SF:/p/src/b.cpp\nDA:1,1\nend_of_record\n"
        "SF:/p/src/a.cpp\nFN:1,f\nDA:3,12\nDA:4,0\nDA:5,0\nDA:7,0\nDA:9,1\nDA:10,0\nLF:6\nend_of_record\n"
        "SF:/p/tests/a_test.cpp\nDA:1,0\nend_of_record\nSF:/usr/include/x.hpp\nDA:1,0\nend_of_record\nSF:/p/build/dev/"
        "x.cpp\nDA:1,0\nend_of_record\n"
        "SF:/p/src/none.cpp\nend_of_record\n",
        "/p");
    CHECK(work::text_of(files) ==
          " 33.3 %  src/a.cpp: not 4-7, 10\n"
          "100.0 %  src/b.cpp\n"
          "100.0 %  src/none.cpp\n"
          " 42.8 %  of 7 lines\n");
    CHECK(work::text_of(work::read_lcov("DA:x\nend_of_record\n\n", "/p")) == "100.0 %  of 0 lines\n");
}

TEST_CASE("description: valid descriptions have no findings") {
    CHECK(
        wrong(
            R"({"/a/{id}": {"parameters": [{"$ref": "#/components/parameters/id"}], "get": {"operationId": "a", )" +
                fine +
                R"(, "security": [{"token": []}], "requestBody": {"content": {}}}, "post": {"responses": {"2XX": {"description": ""}, "default": {"$ref": "#/components/responses/no"}}}}})",
            R"({"parameters": {"id": {"name": "id", "in": "path", "required": true, "schema": {"type": ["integer", "null"]}}}, "responses": {"no": {"description": "no"}},
                    "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
                    "schemas": {"a": {"type": "object", "properties": {"type": {"type": "string", "enum": [1]}, "$ref": {"type": "string"}}, "example": {"$ref": "#/nowhere"}}}})") ==
        "");
}

TEST_CASE("description: violations have a position") {
    CHECK(joined(work::wrong_with_description("[]")) == "/ must be an object\n");
    CHECK(joined(work::wrong_with_description("{")).starts_with("/ is not valid JSON: "));
    CHECK(joined(work::wrong_with_description(R"({"openapi": "3.0.0", "info": {"title": ""}})")) ==
          "/openapi must be a version 3.1.x\n/info/title must be a non-empty string\n/info/version must be a non-empty "
          "string\n/ must have `paths`, `components` or `webhooks`\n");
    CHECK(wrong(R"({"a": {}, "/x/{a}": {}, "/x/{b}": {}})") ==
          "/paths/a must begin with `/`\n/paths/~1x~1{b} duplicates another path, apart from the names "
          "of parameters\n");
    CHECK(wrong(R"({"/{a}": {"get": {)" + fine + "}}}") == "/paths/~1{a}/get has no parameter for `{a}`\n");
    CHECK(
        wrong(
            R"({"/": {"get": {"parameters": [{"name": "a", "in": "path", "schema": {}}, {"name": "b", "in": "body"}, {"in": "query", "schema": {}}, {"in": "query", "schema": {}}], )" +
            fine + "}}}") ==
        "/paths/~1/get/parameters/0 is in the path, so `required` must be true\n"
        "/paths/~1/get/parameters/1 has `in` as `body`; allowed: `path`, `query`, `header` or `cookie`\n"
        "/paths/~1/get/parameters/1 must have either `schema` or `content`\n"
        "/paths/~1/get/parameters/2 has no `name`\n"
        "/paths/~1/get/parameters/3 has no `name`\n"
        "/paths/~1/get/parameters/3 duplicates the parameter ``\n"
        "/paths/~1/get has a parameter `a` in the path, which the path does not contain\n");
    CHECK(
        wrong(
            R"({"/": {"get": {"operationId": "a"}, "put": {"operationId": "a", "responses": {}, "requestBody": {}, "security": [{"x": []}]}}})") ==
        "/paths/~1/get has no `responses`\n/paths/~1/put has the operationId `a` of another "
        "operation\n/paths/~1/put/responses is empty\n"
        "/paths/~1/put/requestBody has no `content`\n/paths/~1/put/security/0 requires `x`, an unknown security "
        "scheme\n");
    CHECK(wrong(R"({"/": {"get": {"responses": {"20": {"description": ""}, "200": {}}}}})") ==
          "/paths/~1/get/responses/20 must be a status, such as `200` or `2XX`, or "
          "`default`\n/paths/~1/get/responses/200 has no `description`\n");
    CHECK(
        wrong(
            "{}",
            R"({"schema": {}, "schemas": {"a b": {"type": "int"}, "c": {"items": {"$ref": "#/components/schemas/gone"}}}, "securitySchemes": {"s": {"type": "basic"}}})") ==
        "/components/schema is an unknown kind of component\n"
        "/components/schemas/a b has an invalid name; allowed: letters, digits, `.`, `-` and `_`\n"
        "/components/securitySchemes/s has the type `basic`; allowed: `apiKey`, `http`, `mutualTLS`, `oauth2` or "
        "`openIdConnect`\n"
        "/components/schemas/a b has the type `int`; allowed: `null`, `boolean`, `object`, `array`, `number`, "
        "`string` or `integer`\n"
        "/components/schemas/c/items refers to `#/components/schemas/gone`, which does not exist\n");
}
