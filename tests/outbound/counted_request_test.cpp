// SPDX-License-Identifier: Apache-2.0
#include "outbound/counted_request.hpp"
#include "support/instruments.hpp"

#include <apus/app.hpp>
#include <apus/client.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace apus;
using test::counted;

namespace {

app upstream_app() {
    app made;
    made.get("/{status}", [](int status) { return response(status); });
    return made;
}

app asking_app() {
    app made;
    made.get("/ask/{path}", [http = client({.name = "billing"})](std::string path) -> task<std::string> {
        auto got = co_await http.get("http://up.test/" + path);
        co_return std::to_string(got.status());
    });
    return made;
}

}  // namespace

TEST_CASE("requests of the HTTP client are counted by status, with retries and durations") {
    test::client browser(asking_app());
    browser.upstream("up.test", upstream_app());
    for (const auto* path : {"200", "201", "302", "404", "503"}) browser.get(std::string("/ask/") + path).expect(200);
    constexpr std::string_view name = "apus_client_requests_total";
    CHECK(counted(name, "2xx") == 2);
    CHECK(counted(name, "3xx") == 1);
    CHECK(counted(name, "4xx") == 1);
    CHECK(counted(name, "5xx") == 1);
    CHECK(counted("apus_client_requests_in_flight") == 0);
    CHECK(counted("apus_client_request_duration_seconds") == 5);
}
