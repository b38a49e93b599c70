// SPDX-License-Identifier: Apache-2.0
#include "web/traced_step.hpp"

#include "support/decoded_spans.hpp"

#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/span.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using apus::test::decoded_span;
using apus::tracing::recorder;

struct waiting {
    apus::task<apus::response> operator()(apus::request& req, apus::next_handler next) const {
        co_await apus::sleep_for(apus::milliseconds(1));
        co_return co_await next(req);
    }
};
struct passing {
    apus::pending_response operator()(apus::request& req, apus::response& out, apus::next_handler next) const {
        return next.run(req, out);
    }
};
struct refusing {
    apus::result<void> operator()(apus::request& req) const {
        if (req.header("x-refused") == "throw") throw std::runtime_error("broken");
        if (!req.header("x-refused").empty()) return apus::fail(503, "closed");
        return {};
    }
};
template <class T>
struct shaped : passing {};

apus::app layered_app() {
    apus::app app;
    app.use(waiting());
    app.use(passing());
    app.use(refusing());
    app.get("/now", [] {
        const auto span = apus::span("own");
        return apus::literal("now\n");
    });
    app.get("/later", []() -> apus::task<std::string> {
        co_await apus::sleep_for(apus::milliseconds(1));
        co_return "later\n";
    });
    app.get("/fail", []() -> std::string { throw std::runtime_error("broken"); });
    return app;
}

// Returns the names of the spans from the root inwards: each has the previous one as its parent. `!` marks failures.
std::string nested(std::vector<decoded_span> spans) {
    std::string made, parent;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const auto found = std::ranges::find(spans, parent, &decoded_span::parent);
        if (found == spans.end()) return made + " no child of " + parent;
        made.append(made.empty() ? "" : " > ").append(found->failed ? "!" : "").append(found->name);
        parent = found->id;
    }
    return made;
}

struct layer_case {
    std::string_view target, refused, spans;
};
constexpr layer_case layers[] = {
    {"/now", "", "GET /now > waiting > passing > refusing > handler > own"},
    {"/later", "", "GET /later > waiting > passing > refusing > handler"},
    {"/fail", "", "!GET /fail > !waiting > !passing > !refusing > !handler"},
    {"/now", "yes", "!GET /now > !waiting > !passing > !refusing"},
    {"/now", "throw", "!GET /now > !waiting > !passing > !refusing"},
    {"/none", "", "GET > waiting > passing > refusing > handler"},
};

}  // namespace

TEST_CASE("middleware spans: each middleware and the handler have a span") {
    recorder by({.middleware = true});
    apus::test::client client(layered_app());
    for (const auto& [target, refused, spans] : layers) {
        CAPTURE(target);
        client.get(target, {{"x-refused", std::string(refused)}});
        CHECK(nested(apus::test::ended_spans(by)) == spans);
    }
}

TEST_CASE("middleware spans: a client that disconnects ends the open spans") {
    recorder by({.middleware = true});
    {
        apus::test::client client(layered_app());
        auto left = client.open("GET", "/later");
    }
    const auto spans = apus::test::ended_spans(by);
    CHECK(nested(spans) == "!GET /later > !waiting");
}

TEST_CASE("middleware spans: requests that are not recorded, and default options, have none") {
    {
        recorder by({.sample = 0, .middleware = true});
        apus::test::client client(layered_app());
        CHECK(client.get("/later").status == 200);
        CHECK(by.waiting() == 0);
    }
    recorder by({});
    apus::test::client client(layered_app());
    client.get("/later");
    CHECK(apus::test::ended_spans(by).size() == 1);
}

TEST_CASE("middleware spans: names of types") {
    using apus::web::name_of_middleware;
    CHECK(name_of_middleware(nullptr) == "middleware");
    CHECK(name_of_middleware("") == "middleware");
    CHECK(name_of_middleware(apus::detail::spell<shaped<int>>()) == "shaped");
    CHECK(name_of_middleware(apus::detail::spell<apus::app>()) == "app");
    const auto lambda = [](apus::request&) -> apus::result<void> { return {}; };
    CHECK(name_of_middleware(apus::detail::spell<decltype(lambda)>()) == "middleware");
    CHECK(name_of_middleware(apus::detail::spell<int (*)(int)>()) == "middleware");
}
