// SPDX-License-Identifier: Apache-2.0
#include <apus/client.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

apus::app make_shop() {
    apus::client_options quick;
    quick.head = apus::seconds(5);
    const apus::client http(quick);
    apus::app app;
    app.get("/price/{item}", [http](std::string_view item) -> apus::task<std::string> {
        auto got = co_await http.get("http://prices.example/v1/" + std::string(item));
        if (got.status() != 200) co_await apus::fail(503, "no price").expose();
        co_return std::move(got).body();
    });
    app.get("/rate", [http]() -> apus::task<std::string> {
        auto got = co_await http.get("http://rates.example:8080/");
        co_return std::move(got).body();
    });
    return app;
}

apus::app make_prices() {
    apus::app app;
    app.get("/v1/{item}", [](apus::request& req, std::string_view item) {
        return std::string(req.header("host")) + " " + std::string(item) + ": 12";
    });
    app.get("/v1/slow", []() -> apus::task<std::string> {
        co_await apus::sleep_for(apus::seconds(3600));
        co_return "late";
    });
    app.get("/v1/gone", [] { return apus::response(404); });
    return app;
}

}  // namespace

TEST_CASE("an app of the test serves the requests to a host") {
    apus::test::client client(make_shop());
    client.upstream("prices.example", make_prices());
    CHECK(client.get("/price/cheese").expect(200).body == "prices.example cheese: 12");
    CHECK(client.get("/price/milk").expect(200).body == "prices.example milk: 12");
    CHECK(client.get("/price/gone").expect(503).body.contains("no price"));
}

TEST_CASE("a fake server that is too slow exceeds the deadlines of the client") {
    apus::test::client client(make_shop());
    client.upstream("Prices.Example", make_prices());
    auto slow = client.open("GET", "/price/slow");
    CHECK(!slow.has_begun());
    client.advance(apus::seconds(6));
    CHECK(slow.rest().status == 504);
    auto left = client.open("GET", "/price/slow");  // destroyed while the fake server handles the request
    CHECK(!left.has_begun());
}

TEST_CASE("fake servers are selected by port, the latest one first, and end with their client") {
    const auto saying = [](const char* text) {
        apus::app app;
        app.get("/", [said = std::string(text)] { return said; });
        return app;
    };
    {
        apus::test::client client(make_shop());
        client.upstream("rates.example:8081", saying("other port"));
        client.upstream("rates.example:8080", saying("first"));
        client.upstream("rates.example", saying("second"));
        CHECK(client.get("/rate").expect(200).body == "second");
    }
    apus::test::client client(make_shop());
    client.upstream("rates.example:8080", saying("third"));
    CHECK(client.get("/rate").expect(200).body == "third");
}
