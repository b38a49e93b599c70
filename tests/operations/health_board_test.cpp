// SPDX-License-Identifier: Apache-2.0
#include "operations/health_board.hpp"

#include "runtime/loop.hpp"
#include "web/application.hpp"

#include <apus/app.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace apus;
using operations::health_board;
using operations::process_state;

namespace {

struct recorded_runs final : health_board::runner {
    std::vector<std::size_t> started;
    std::string why;
    bool throws = false;
    void start_check(std::size_t number) override {
        if (throws) throw std::runtime_error("no memory");
        started.push_back(number);
    }
    std::string stalled() override { return why; }
};

// A board on a loop whose clock the test moves.
struct board_on_loop {
    std::string reason;
    runtime::loop loop{runtime::make_backend("epoll", reason)};
    recorded_runs runs;
    health_board board{runs};

    board_on_loop() { board.enter(process_state::serving); }
    void wait(std::int64_t milliseconds) {
        loop.io().clock().move(milliseconds);
        loop.turn(0);
        loop.turn(0);
    }
};

// A probe in progress; destroyed with its owner.
class probe {
public:
    probe(health_board& of, bool live = false) : task_(run(*this, of, live)), handle_(task_.release()) {
        handle_.resume();
    }
    probe(const probe&) = delete;
    probe& operator=(const probe&) = delete;
    ~probe() { handle_.destroy(); }

    std::optional<web::process_report> report;

private:
    static task<> run(probe& to, health_board& of, bool live) {
        to.report = co_await of.report(live, web::report_format::text);
    }
    task<> task_;
    task<>::handle handle_;
};

}  // namespace

TEST_CASE("probes wait for one run, and share its result until it is too old") {
    board_on_loop on;
    on.board.add("db", {.max_age = seconds(1)});
    {
        const probe a(on.board), b(on.board);
        CHECK(on.runs.started == std::vector<std::size_t>{0});
        CHECK(!a.report);
        on.board.check_ended(0, nullptr, 1'500'000);
        REQUIRE(a.report);
        REQUIRE(b.report);
        CHECK(*a.report->body == "ready\ndb passing 1.5 ms\n");
        CHECK(b.report->status == 200);
    }
    on.wait(900);
    CHECK(probe(on.board).report->status == 200);
    CHECK(on.runs.started.size() == 1);
    on.wait(200);
    CHECK(!probe(on.board).report);  // cancelled while it waits
    CHECK(on.runs.started.size() == 2);
    const error why(503, "refused\nby peer");
    on.board.check_ended(0, &why, 0);
    CHECK(*probe(on.board).report->body == "not ready: db\ndb failing 0 ms: refused by peer\n");
}

TEST_CASE("a run that never ends is a timeout, and no second run starts") {
    board_on_loop on;
    on.board.add("db", {.timeout = milliseconds(500), .max_age = seconds(1)});
    const probe first(on.board);
    on.wait(600);
    CHECK(!first.report);
    on.wait(300);
    REQUIRE(first.report);
    CHECK(first.report->status == 503);
    CHECK(first.report->body->contains("the core that runs the check does not answer"));
    on.wait(5000);
    CHECK(probe(on.board).report->status == 503);
    CHECK(on.runs.started.size() == 1);
    on.board.check_ended(0, nullptr, 0);  // the check ends late
    CHECK(probe(on.board).report->status == 200);
}

TEST_CASE("a probe does not wait for runs that others start later") {
    board_on_loop on;
    on.board.add("fast", {.max_age = milliseconds(10)});
    on.board.add("slow", {.max_age = milliseconds(10)});
    const probe first(on.board);
    on.wait(20);
    on.board.check_ended(0, nullptr, 0);
    on.wait(20);
    const probe second(on.board);  // runs `fast` again
    CHECK(on.runs.started == std::vector<std::size_t>{0, 1, 0});
    on.board.check_ended(1, nullptr, 0);
    CHECK(first.report);
    CHECK(!second.report);
}

TEST_CASE("liveness has its own checks, and fails while a core is stalled") {
    board_on_loop on;
    on.board.add("db", {});
    on.board.add("self", {.liveness = true});
    {
        const probe live(on.board, true);
        CHECK(on.runs.started == std::vector<std::size_t>{1});
        on.board.check_ended(1, nullptr, 0);
        CHECK(*live.report->body == "live\nself passing 0 ms\n");
    }
    on.runs.why = "core 3 is blocked";
    CHECK(probe(on.board, true).report->body->starts_with("not live: core 3 is blocked\n"));
}

TEST_CASE("while draining, probes get a response without a run of the checks") {
    board_on_loop on;
    on.board.add("db", {});
    on.board.enter(process_state::draining);
    CHECK(*probe(on.board).report->body == "not ready: draining\ndb unknown\n");
    CHECK(probe(on.board, true).report->status == 200);
    CHECK(on.runs.started.empty());
}

TEST_CASE("invalid and duplicate names of checks, and invalid timeouts, are rejected") {
    app a;
    CHECK_THROWS_AS(a.check("", [] { return true; }), std::invalid_argument);
    CHECK_THROWS_AS(a.check("a b", [] { return true; }), std::invalid_argument);
    CHECK_THROWS_AS(a.check("a\n", [] { return true; }), std::invalid_argument);
    CHECK_THROWS_AS(a.check("a", [] { return true; }, {.timeout = seconds(0)}), std::invalid_argument);
    a.check("db.main-1", [] { return true; });
    app inner;
    inner.check("db.main-1", [] { return true; });
    a.mount("/inner", std::move(inner));
    CHECK_THROWS_WITH_AS(web::application(std::move(a)), "two health checks are named `db.main-1`", std::logic_error);
}

TEST_CASE("a check that cannot be started is started again by a later probe") {
    board_on_loop on;
    on.board.add("db", {.max_age = milliseconds(100)});
    on.runs.throws = true;
    {
        const probe first(on.board);
        REQUIRE(first.report);
        CHECK(first.report->status == 503);
        CHECK(*first.report->body == "not ready: db\ndb failing 0 ms: the check cannot be started: no memory\n");
    }
    on.runs.throws = false;
    on.wait(200);
    const probe second(on.board);
    CHECK(on.runs.started == std::vector<std::size_t>{0});
    on.board.check_ended(0, nullptr, 1'000'000);
    REQUIRE(second.report);
    CHECK(second.report->status == 200);
}
