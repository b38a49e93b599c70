// SPDX-License-Identifier: Apache-2.0
#include "server/administration.hpp"

#include "server/metrics_page.hpp"

#include <apus/app.hpp>
#include <apus/metrics.hpp>

#include <doctest/doctest.h>

#include <string>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

using namespace apus;
using state = server::core_thread::state;

namespace {

// Opens an administration at an address, and returns its URL or the error.
std::string opened(const std::string& where) {
    const serve_options options{.admin = where};
    server::shared_state served(options, 1);
    const runtime::blocking_threads threads;
    server::administration tried(served, threads);
    const auto done = tried.open();
    return done ? tried.url() : done.error();
}

}  // namespace

TEST_CASE("the administration listens on an address without TLS, or not at all") {
    CHECK(opened("").empty());
    CHECK(opened("127.0.0.1:0").starts_with("http://127.0.0.1:"));
    CHECK(opened("http://127.0.0.1:0").starts_with("http://127.0.0.1:"));
    CHECK(opened("https://127.0.0.1:0").contains("it has no TLS"));
    CHECK(opened("nonsense").contains("cannot serve the administration on `nonsense`"));
}

TEST_CASE("metrics of a core that has ended are omitted") {
    serve_options options;
    server::shared_state served(options, 1);
    served.state_eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    const auto make = [] {
        app a;
        metrics::counter(a, "a_total", "A").add(3);
        a.get("/x", [] { return ""; });
        return a;
    };
    const runtime::blocking_threads threads;
    const auto page = [&] {
        operations::exposition to(operations::exposition_format::text);
        server::write_metrics(to, served, threads);
        return std::move(to).finish();
    };
    served.cores.push_back(
        std::make_unique<server::core_thread>(served, 0U, detail::make_with(make), std::vector<net::listener>()));
    auto& core = *served.cores[0];
    const auto wait_while = [&](state s) {
        for (int i = 0; i < 100 && core.now() == s; ++i) {
            pollfd news{served.state_eventfd, POLLIN, 0};
            poll(&news, 1, 100);
            std::uint64_t count;
            [[maybe_unused]] auto n = read(served.state_eventfd, &count, sizeof count);
        }
    };
    core.start();
    wait_while(state::starting);
    REQUIRE(core.now() == state::ready);
    CHECK(page().contains("\na_total 3\n"));
    CHECK(page().contains(R"(http_server_requests_total{method="GET",route="/x",status="2xx"} 0)"));
    CHECK(page().contains("apus_core_busy_seconds{core=\"0\"}"));
    core.abort();
    wait_while(state::ready);
    REQUIRE(core.now() == state::ended);
    CHECK(!page().contains("a_total"));
    CHECK(!page().contains("apus_core_busy_seconds{"));
    CHECK(page().contains("process_open_fds"));
    served.cores.clear();
    close(served.state_eventfd);
}
