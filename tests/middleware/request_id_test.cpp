// SPDX-License-Identifier: Apache-2.0
#include <apus/request_id.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

using namespace apus;

namespace {

app named(request_ids by) {
    app a;
    a.use(std::move(by));
    a.get("/", [](request& req) { return std::string(request_id_of(req)); });
    a.get("/later", [](request& req) -> task<std::string> { co_return std::string(request_id_of(req)); });
    return a;
}

bool made_here(std::string_view id) { return id.size() == 32 && id.find_first_not_of("0123456789abcdef") == id.npos; }

}  // namespace

TEST_CASE("request ids: one per request, for its handler and in its response") {
    test::client to(named(request_ids()));
    std::string last;
    for (auto target : {"/", "/later", "/"}) {
        const auto a = to.get(target);
        CHECK(made_here(a.body));
        CHECK(a.header("x-request-id") == a.body);
        CHECK(a.body != last);
        last = a.body;
    }
    CHECK(made_here(to.get("/nothing").header("x-request-id")));
}

TEST_CASE("request ids: accepted only from a trusted peer, and only if safe to log") {
    const std::string longest(128, 'a'), too_long(129, 'a');
    const struct {
        std::string_view sent;
        bool taken;
    } rows[] = {{"abc-123_4.5", true}, {"019a-7f", true}, {longest, true}, {too_long, false},      {"", false},
                {"a b", false},        {"a;b", false},    {"a\"b", false}, {"caf\xc3\xa9", false}, {"<script>", false}};
    test::client trusting(named(request_ids({"unix"}))), careful(named(request_ids({"10.0.0.0/8"})));
    for (const auto& row : rows) {
        CAPTURE(row.sent);
        const std::string id = trusting.get("/", {{"x-request-id", row.sent}}).body;
        CHECK((id == row.sent) == row.taken);
        CHECK((row.taken || made_here(id)));
        CHECK(made_here(careful.get("/", {{"x-request-id", row.sent}}).body));
    }
}
