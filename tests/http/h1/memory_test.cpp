// SPDX-License-Identifier: Apache-2.0
#include "http/connection.hpp"
#include "http/h1/wire.hpp"

#include <apus/stream.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

// A core under memory pressure.

using namespace apus;
using runtime::memory_charge;
using test::statuses;
using test::wire;

namespace {

constexpr std::uint64_t rings_growth = 128 * 1024;  // growth allowed for buffers that io_uring keeps
constexpr std::uint64_t budget_bytes = 16 * 1024 * 1024;

app make_app() {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.post("/whole", [](body_text in) { return std::to_string(in.bytes.size()) + "\n"; });
    a.get("/large", [] { return std::string(3'000'000, 'L'); });
    a.get("/page", [] { return std::string(100'000, 'p'); });
    a.get("/upgrade", [] { return upgrade("echo", [](request& in, writer&) -> task<> { co_await in.read(); }); });
    return a;
}

// A core with a memory budget, a part of which other cores use.
struct pressed {
    runtime::memory_budget budget{budget_bytes, 1};
    wire w;
    memory_charge others{w.loop().memory()};

    explicit pressed(app a = make_app()) : w(std::move(a)) { w.loop().memory().use(budget); }
    void hold_sixteenths(unsigned n) { others.set(budget.usable() / 16 * n + 1); }
    std::string ask(std::string_view bytes) {
        w.connect();
        w.send(bytes);
        return w.until("\n");
    }
};

// A second client besides `wire`.
struct wire_end {
    int fd;
    explicit wire_end(wire& w) {
        int ends[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
        fd = ends[0];
        w.core().open(ends[1], runtime::protocols::every).start();
    }
    wire_end(wire_end&& other) noexcept : fd(std::exchange(other.fd, -1)) {}
    wire_end& operator=(wire_end&&) = delete;
    ~wire_end() {
        if (fd >= 0) close(fd);
    }
    void give(std::string_view bytes) const { CHECK(::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) > 0); }
};

std::string post(std::size_t size, std::size_t sent) {
    return "POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" +
           std::string(sent, 'b');
}

constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

}  // namespace

TEST_CASE("memory: a closed connection returns its memory") {
    const std::string cases[] = {
        post(500'000, 400'000),
        post(500'000, 500'000),
        "GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(7'000, 'x'),
        "GET /large HTTP/1.1\r\nHost: a\r\n\r\n",
        std::string(get) + std::string(get) + std::string(get),
        "GET /upgrade HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n",
    };
    wire w(make_app());
    for (const auto& bytes : cases) {
        CAPTURE(bytes.substr(0, 100));
        std::uint64_t after[2];
        for (auto& used : after) used = w.used_after_leaving(bytes);
        CHECK(after[1] <= after[0] + rings_growth);
    }
}

TEST_CASE("memory: a connection's memory is counted while it is in use") {
    wire w(make_app());
    const auto before = w.loop().memory().used();
    w.send(post(500'000, 400'000));
    w.turn(20);
    CHECK(w.loop().memory().used() >= before + 400'000);
    CHECK(w.loop().memory().used() <= before + 700'000);
    CHECK(w.core().first->held() >= 400'000);
}

TEST_CASE("memory: near the limit new work gets 503, and small requests are served") {
    struct request {
        std::string bytes;
        const char* status;
    };
    const request requests[] = {
        {std::string(get), "200"},
        {post(100, 100), "200"},
        {post(1'000'000, 0), "503"},
        {"POST /whole HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "503"},
        {"GET /upgrade HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n", "503"},
    };
    pressed p;
    for (const auto& r : requests) {
        CAPTURE(r.bytes.substr(0, 100));
        p.hold_sixteenths(14);
        const auto answer = p.ask(r.bytes);
        CHECK(statuses(answer) == r.status);
        p.others.set(0);
    }
    CHECK(p.w.core().counts.memory_refusals == 3);
    p.hold_sixteenths(14);
    p.w.connect();
    p.w.send(post(1'000'000, 0));
    const auto refusal = p.w.rest();
    CHECK(refusal.contains("retry-after: 1\r\n"));
    CHECK(refusal.contains("application/problem+json"));
    p.others.set(0);
    CHECK(statuses(p.ask(post(1'000, 1'000))) == "200");
}

TEST_CASE("memory: stalled connections are closed to make room for small uploads") {
    pressed p;
    std::vector<wire_end> idle;
    for (int i = 0; i < 200; ++i) {
        idle.emplace_back(p.w);
        idle.back().give(post(60'000, 59'000));
        p.w.turn(3);
    }
    for (std::size_t i = 0; i < 100; ++i) {
        CAPTURE(i);
        CHECK(statuses(p.ask(post(16'000 + 480 * i, 16'000 + 480 * i))) == "200");
        idle.emplace_back(p.w);  // other connections use up the memory again
        idle.back().give(post(60'000, 59'000));
        p.w.turn(3);
    }
    CHECK(p.w.core().counts.memory_refusals == 0);
    CHECK(p.w.core().counts.memory_cuts > 0);
}

TEST_CASE("memory: a half-closed client is answered once memory is available") {
    pressed p;
    p.hold_sixteenths(16);
    p.w.connect();
    p.w.send(get);
    p.w.half_close();
    p.w.turn(20);
    CHECK(p.w.take().empty());
    p.others.set(0);
    CHECK(statuses(p.w.rest()) == "200");
}

TEST_CASE("memory: closing many connections takes several turns") {
    pressed p;
    std::vector<wire_end> idle;
    for (int i = 0; i < 150; ++i) {
        idle.emplace_back(p.w);
        idle.back().give(post(60'000, 50'000));
        p.w.turn(3);
    }
    const auto& cuts = p.w.core().counts.memory_cuts;
    p.hold_sixteenths(15);
    std::uint64_t before = cuts, most = 0;
    for (int i = 0; i < 2'000 && cuts < 140; ++i, before = cuts)
        p.w.loop().turn(1), most = std::max(most, cuts - before);
    CHECK(cuts >= 140);
    CHECK(most <= 64);
}

TEST_CASE("memory: at the limit, large connections are closed for new ones") {
    constexpr std::uint64_t enough = budget_bytes / 64 * 3;  // enough memory that closing one connection is worthwhile
    pressed p;
    std::vector<wire_end> holders;
    for (int i = 0; i < 60; ++i) {
        holders.emplace_back(p.w);
        holders.back().give(post(500'000, 60'000));
        p.w.turn(4);
    }
    const std::uint64_t held = p.w.loop().memory().used();
    REQUIRE(held > enough);
    p.others.set(p.budget.usable() / 8 * 9 - held);
    CHECK(p.w.core().guard.accepts_connection());
    p.others.set(p.budget.usable() * 2);
    p.w.pass(10);
    CHECK_FALSE(p.w.core().guard.accepts_connection());
}

TEST_CASE("memory: a body that can never fit is rejected at once") {
    runtime::memory_budget little(1'000'000, 1);
    wire w(make_app());
    w.loop().memory().use(little);
    w.send(post(900'000, 0));
    CHECK(statuses(w.rest()) == "503");
}

TEST_CASE("memory: under pressure the largest connections are not read from, and resume afterwards") {
    pressed p;
    p.w.send(post(1'000'000, 300'000));
    p.w.turn(20);
    p.hold_sixteenths(15);  // no other connection is preferred for closing
    p.w.turn_until([&] { return p.w.core().counts.memory_cuts == 1; });
    p.others.set(0);
    CHECK(statuses(p.ask(get)) == "200");
}

TEST_CASE("memory: a single large upload completes, also under pressure") {
    pressed p;
    p.hold_sixteenths(12);
    p.w.send(post(1'000'000, 1'000'000));
    CHECK(statuses(p.w.until("\n1000000\n")) == "200");
    CHECK(p.w.core().counts.memory_cuts == 0);
}

TEST_CASE("memory: the longest waiting connection resumes first") {
    std::string order;
    app a;
    a.get("/{name}", [&order](std::string_view name) { return order += name, "ok\n"; });
    pressed p(std::move(a));
    int clients[3];
    for (int& client : clients) {
        int ends[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
        client = ends[0];
        p.w.core().open(ends[1], runtime::protocols::every).start();
    }
    p.hold_sixteenths(16);
    p.w.turn(4);
    for (const int i : {1, 0, 2}) {
        const std::string asks = "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: a\r\n\r\n";
        CHECK(write(clients[i], asks.data(), asks.size()) == static_cast<ssize_t>(asks.size()));
        p.w.turn(4);
    }
    CHECK(order.empty());
    p.others.set(0);
    p.w.turn_until([&] { return order.size() == 3; });
    CHECK(order == "102");
    for (const int client : clients) close(client);
}

TEST_CASE("memory: near the limit, routes with large recent responses are rejected") {
    constexpr std::string_view large = "GET /page HTTP/1.1\r\nHost: a\r\n\r\n";
    struct step {
        std::string_view request;
        unsigned sixteenths;        // budget used by other cores, in sixteenths
        std::int64_t milliseconds;  // time that passes before the request
        const char* status;
    };
    constexpr step steps[] = {
        {large, 14, 0, "200"},  // the memory use of this handler is not known yet
        {large, 14, 0, "503"},     {get, 14, 0, "200"},       {large, 0, 0, "200"},
        {large, 14, 9'000, "503"}, {large, 14, 2'000, "200"},
    };
    pressed p;
    for (const auto& s : steps) {
        CAPTURE(&s - steps);
        p.w.pass(s.milliseconds);
        if (s.sixteenths) p.hold_sixteenths(s.sixteenths);
        CHECK(statuses(p.ask(s.request)) == std::string(s.status));
        p.w.hang_up();
        p.others.set(0);
        p.w.wait_for_close();
    }
}
