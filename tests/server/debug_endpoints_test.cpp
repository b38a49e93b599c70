// SPDX-License-Identifier: Apache-2.0
#include "server/debug_endpoints.hpp"
#include "server/debug_page_files.hpp"

#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;

namespace {

server::request_report::ended ended(std::string_view path, int status) {
    server::request_report::ended made;
    made.request.method = base::short_text<18>("GET");
    made.request.path = base::short_text<158>(path);
    made.request.status = static_cast<std::uint16_t>(status);
    made.request.took = 12'345'678;
    return made;
}

}  // namespace

TEST_CASE("the page and its files satisfy the content security policy") {
    const serve_options options;
    server::shared_state served(options, 1);
    server::request_board board(served);
    test::client c(server::debug_endpoints(board));
    for (const auto& [path, type] :
         {std::pair{"/debug", "text/html"}, {"/debug/page.css", "text/css"}, {"/debug/page.js", "text/javascript"}}) {
        auto got = c.get(path);
        CHECK(got.status == 200);
        CHECK(got.header("content-type").starts_with(type));
        CHECK(got.header("content-security-policy").starts_with("default-src 'none'; script-src 'self'"));
    }
    const std::string page(server::debug_page_html);
    for (const auto inline_code : {"<style", "style=", "onclick", "onload", "<script>", "http:", "https:"})
        CHECK(!page.contains(inline_code));
    CHECK(!server::debug_page_script.contains("innerHTML"));
    for (const auto link : {"/metrics", "/debug/config", "/debug/requests", "/debug/tasks", "/debug/pprof/"})
        CHECK(page.contains("href=\"" + std::string(link) + '"'));
}

TEST_CASE("reports escape the bytes of clients") {
    server::request_report of;
    of.cores.resize(1);
    of.cores[0].answered = true;
    auto& running = of.cores[0].in_flight.emplace_back();
    running.method = "GET";
    running.path = "/a\"\x1b[31m\xff";
    running.state = "handling";
    of.routes[{"/a", "GET"}][1].push_back(ended("/b\n\x7f\xff<", 500));
    const std::string json = server::write_json(of), text = server::write_text(of);
    CHECK(json.contains(R"("path":"/a\")"));
    CHECK(json.contains(R"("failed":[{"time":"1970-01-01T00:00:00.000Z","method":"GET","path":"/b)"));
    CHECK(json.contains(R"("status":500,"duration_ms":12.345}],"rejected":[])"));
    for (const std::string& each : {json, text})
        for (const char c : each) CHECK((c == '\n' || (static_cast<unsigned char>(c) >= ' ' && c != '\xff')));
}

TEST_CASE("only hosts that a site cannot rebind are accepted") {
    app a;
    a.use(server::require_local_host);
    a.get("/", [] { return "ok"; });
    test::client c(std::move(a));
    for (const auto& [host, status] : {std::pair{"localhost", 200},
                                       {"localhost:9090", 200},
                                       {"LocalHost:1", 200},
                                       {"shop.localhost", 200},
                                       {"127.0.0.1:9090", 200},
                                       {"10.1.2.3", 200},
                                       {"[::1]:9090", 200},
                                       {"[fe80::1]", 200},
                                       {"evil.example:9090", 421},
                                       {"localhost.evil.example", 421},
                                       {"notlocalhost", 421},
                                       {".localhost", 421},
                                       {"127.0.0.1.evil.example", 421},
                                       {"127.1", 421},
                                       {"0x7f000001", 421},
                                       {"[::1].evil.example", 400}}) {
        CAPTURE(host);
        CHECK(c.send("GET", "/", {}, {{"host", host}}).status == status);
    }
}
