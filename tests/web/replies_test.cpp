// SPDX-License-Identifier: Apache-2.0
#include "support/direct.hpp"

#include <apus/json.hpp>
#include <apus/test.hpp>
#include <doctest/doctest.h>

#include <stdexcept>
#include <variant>

using namespace apus::support;

namespace {

struct job_note {
    int id;
};
struct job_clash {
    std::string with;
};
using put_answer = std::variant<job_note, apus::created<job_note>, apus::reply<job_clash, 409>, apus::no_content,
                                apus::result<job_note>>;

apus::app replies() {
    apus::app a;
    a.get("/created", [] { return apus::created(job_note{7}).at("/jobs/7"); });
    a.get("/accepted", [] { return apus::with_status<202>(job_note{8}).at("/jobs/8").header("retry-after", "5"); });
    a.get("/text", [] { return apus::with_status<203>(std::string("text")).header("x-a", "b"); });
    a.get("/empty", [] { return apus::with_status<202>(); });
    a.get("/gone", [] { return apus::with_status<304>().header("etag", "\"v1\""); });
    a.get("/maybe/{id}", [](int id) -> std::optional<apus::created<job_note>> {
        if (id == 0) return std::nullopt;
        return job_note{id};
    });
    a.get("/later", []() -> apus::task<apus::reply<job_note, 202>> {
        co_return apus::with_status<202>(job_note{9}).at("/jobs/9");
    });
    a.get("/status/{code}", [](int code) { return apus::with_status(code, job_note{code}).at("/jobs/10"); });
    a.get("/status/{code}/empty", [](int code) { return apus::with_status(code).header("x-a", "b"); });
    a.get("/chosen/{id}", [](int id) -> apus::reply<job_note> {
        if (id == 0) return job_note{0};
        if (id == 1) return apus::created(job_note{1}).at("/jobs/1");
        if (id == 2) return apus::with_status<202>(job_note{2}).header("retry-after", "5");
        return apus::with_status(203, job_note{id});
    });
    a.get("/bad-field", [] { return apus::with_status<202>().header("x", "a\r\nb"); });
    a.get("/chained", [] { return apus::response::text("x").status(202).header("x-a", "b").remove_header("x-c"); });
    a.put("/jobs/{id}", [](int id) -> put_answer {
        switch (id) {
            case 0: return apus::with_status<409>(job_clash{"job 1"});
            case 1: return job_note{1};
            case 2: return apus::no_content();
            case 3: return apus::result<job_note>(apus::fail(410, "gone"));
            default: return apus::created(job_note{id}).at("/jobs/4");
        }
    });
    a.put("/waits/{id}", [](int id) -> apus::task<put_answer> {
        if (id == 0) co_return apus::with_status<409>(job_clash{"job 1"});
        co_return job_note{id};
    });
    return a;
}

}  // namespace

TEST_CASE("a reply has a value, status and fields") {
    direct to(replies());
    CHECK(to.ask("GET /created") == "201 {\"id\":7}");
    CHECK(to.header("location") == "/jobs/7");
    CHECK(to.exchange().answer.media_type() == "application/json");
    CHECK(to.ask("GET /accepted") == "202 {\"id\":8}");
    CHECK(to.header("location") == "/jobs/8");
    CHECK(to.header("retry-after") == "5");
    CHECK(to.ask("GET /text") == "203 text");
    CHECK(to.header("x-a") == "b");
    CHECK(to.ask("GET /empty") == "202");
    CHECK(to.ask("GET /gone") == "304");
    CHECK(to.header("etag") == "\"v1\"");
    CHECK(to.ask("GET /maybe/3") == "201 {\"id\":3}");
    CHECK(to.problem("GET /maybe/0").starts_with("404"));
    CHECK(to.ask("GET /later") == "202 {\"id\":9}");
    CHECK(to.header("location") == "/jobs/9");
    CHECK(to.problem("GET /bad-field") == "500 internal error");
}

TEST_CASE("a reply has a status known at run time") {
    direct to(replies());
    CHECK(to.ask("GET /status/207") == "207 {\"id\":207}");
    CHECK(to.header("location") == "/jobs/10");
    CHECK(to.exchange().answer.media_type() == "application/json");
    CHECK(to.ask("GET /status/599") == "599 {\"id\":599}");
    CHECK(to.ask("GET /status/202/empty") == "202");
    CHECK(to.header("x-a") == "b");
    CHECK(to.ask("GET /chosen/0") == "200 {\"id\":0}");
    CHECK(to.ask("GET /chosen/1") == "201 {\"id\":1}");
    CHECK(to.header("location") == "/jobs/1");
    CHECK(to.ask("GET /chosen/2") == "202 {\"id\":2}");
    CHECK(to.header("retry-after") == "5");
    CHECK(to.ask("GET /chosen/3") == "203 {\"id\":3}");
}

TEST_CASE("a status out of range is a 500") {
    apus::test::client client(replies());
    for (const int code : {-1, 0, 100, 199, 600, 65736}) {
        CAPTURE(code);
        client.get("/status/" + std::to_string(code)).expect(500);
    }
    CHECK(client.get("/status/204").expect(204).body.empty());
}

TEST_CASE("a variant of replies, each with its own status") {
    direct to(replies());
    check_answers(to, {{"PUT /jobs/0", "409 {\"with\":\"job 1\"}"},
                       {"PUT /jobs/1", "200 {\"id\":1}"},
                       {"PUT /jobs/2", "204"},
                       {"PUT /jobs/4", "201 {\"id\":4}"},
                       {"PUT /waits/0", "409 {\"with\":\"job 1\"}"},
                       {"PUT /waits/6", "200 {\"id\":6}"}});
    CHECK(to.problem("PUT /jobs/3") == "410 gone");
    CHECK(to.ask("PUT /jobs/4") == "201 {\"id\":4}");
    CHECK(to.header("location") == "/jobs/4");
}

TEST_CASE("the setters of a response chain on temporaries") {
    direct to(replies());
    CHECK(to.ask("GET /chained") == "202 x");
    CHECK(to.header("x-a") == "b");
    const apus::response res = apus::response(202).body("{}", "application/json").header("location", "/jobs/7");
    CHECK(res.body() == "{}");
    CHECK(res.header("location") == "/jobs/7");
}
