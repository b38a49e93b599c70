// SPDX-License-Identifier: Apache-2.0
// Requests to other servers from handlers.
#include <apus/app.hpp>
#include <apus/client.hpp>
#include <apus/url.hpp>

namespace {

// Errors of the request, such as 502 and 504, become the response of this handler.
apus::task<std::string> weather(apus::client http, std::string_view city) {
    auto got = co_await http.get(apus::make_url("http://127.0.0.1:9000/weather/{city}", city));
    if (got.status() != 200) co_await apus::fail(502, "no weather today");
    co_return std::move(got).body();
}

// Handles the error, and uses a default.
apus::task<std::string> weather_or_not(apus::client http, std::string_view city) {
    auto got = co_await http.get(apus::make_url("http://127.0.0.1:9000/weather/{city}", city)).outcome();
    co_return got && got->status() == 200 ? std::move(*got).body() : "probably rain\n";
}

// A request with fields, a body, its own timeout, and two retries.
apus::task<std::string> order(apus::client http, std::string_view item) {
    apus::client_request req("PUT", "http://127.0.0.1:9000/orders/7");
    req.body(std::string(item), "text/plain").header("authorization", "Bearer s3cret");
    req.deadline(apus::seconds(2)).retries(2);
    auto got = co_await http.send(std::move(req));
    co_return std::to_string(got.status()) + "\n";
}

apus::app make_app() {
    apus::client_options careful;
    careful.connections_per_origin = 8;
    apus::client http(careful);
    http.allow([](const apus::peer_address& to) { return to.address() == "127.0.0.1" || to.is_public(); });

    apus::app app;
    app.get("/weather/{city}", [http](std::string_view city) { return weather(http, city); });
    app.get("/weather-or-not/{city}", [http](std::string_view city) { return weather_or_not(http, city); });
    app.put("/orders/{item}", [http](std::string_view item) { return order(http, item); });
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
