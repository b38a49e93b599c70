// SPDX-License-Identifier: Apache-2.0
// Weather from another server, with a fallback response if that server fails or is slow.
#include <apus/app.hpp>
#include <apus/client.hpp>
#include <apus/json.hpp>
#include <apus/log.hpp>
#include <apus/url.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

struct weather {
    static constexpr bool ignores_unknown_fields = true;
    std::string sky;
};

struct report {
    std::string city, sky;
    bool live = false;
};

apus::task<std::optional<weather>> ask(apus::client http, std::string url) {
    auto got = co_await http.get(url);
    if (got.status() == 404) co_return std::nullopt;
    if (got.status() != 200) co_await apus::fail(502, "status " + std::to_string(got.status()));
    co_return co_await apus::from_json<weather>(got.body());
}

apus::task<std::optional<report>> show(apus::client http, std::string upstream, std::string city) {
    auto got = co_await ask(http, apus::make_url("{upstream}/cities/{city}", upstream, city)).outcome();
    if (got && !*got) co_return std::nullopt;
    if (got) co_return report{city, (*got)->sky, true};
    apus::log::warn("upstream", {"detail", got.error().detail()});
    co_return report{city, "unknown", false};
}

apus::app make_app(const std::string& upstream) {
    apus::client http({.whole = apus::milliseconds(500)});
    apus::app app;
    app.get("/weather/{city}", [http, upstream](std::string city) { return show(http, upstream, std::move(city)); });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    const char* upstream = std::getenv("UPSTREAM");
    if (!upstream) return std::fputs("set UPSTREAM\n", stderr), 2;
    return apus::serve([&] { return make_app(upstream); }, argc, argv);
}
