// SPDX-License-Identifier: Apache-2.0
#include "outbound/pool.hpp"

#include "outbound/dial.hpp"
#include "outbound/servers.hpp"
#include "outbound/socket_transport.hpp"
#include "outbound/with_deadline.hpp"

#include <apus/sleep.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

app make_slow() {
    app a;
    a.get("/{ms}", [](int ms) -> task<std::string> {
        co_await apus::sleep_for(milliseconds(ms));
        co_return "slow";
    });
    return a;
}

using asking = running_task<client_response>;

std::vector<std::unique_ptr<asking>> ask_together(const client& http, const std::string& url, int times) {
    std::vector<std::unique_ptr<asking>> all;
    for (int i = 0; i < times; ++i) all.push_back(std::make_unique<asking>(http.get(url)));
    return all;
}

}  // namespace

TEST_CASE("connections per origin are limited, and requests queue") {
    own_loop on;
    app_server up(on, make_slow());
    client_options few;
    few.connections_per_origin = 3;
    client http(few);
    auto all = ask_together(http, up.url() + "/5", 20);
    for (auto& a : all) CHECK(line_of(a->wait()) == "200 slow");
    CHECK(up.accepts == 3);
}

TEST_CASE("waiting too long for a connection, or in a full queue, gives 503") {
    own_loop on;
    app_server up(on, make_slow());
    client_options few;
    few.connections_per_origin = 1;
    few.waiting = 2;
    few.queue = milliseconds(30);
    client http(few);
    auto all = ask_together(http, up.url() + "/200", 4);
    CHECK(line_of(all[3]->wait()) == "error 503 too many requests are waiting for upstream connections");
    CHECK(line_of(all[2]->wait()) == "error 503 all connections to the upstream server are in use");
    CHECK(line_of(all[1]->wait()) == "error 503 all connections to the upstream server are in use");
    CHECK(line_of(all[0]->wait()) == "200 slow");
}

TEST_CASE("idle connections of other origins are closed") {
    own_loop on;
    client_options two;
    two.connections = 2;
    client http(two);
    std::vector<std::unique_ptr<app_server>> servers;
    for (int i = 0; i < 5; ++i) servers.push_back(std::make_unique<app_server>(on, make_slow()));
    for (int round = 0; round < 2; ++round)
        for (auto& s : servers) CHECK(line_of(on.wait(http.get(s->url() + "/0"))) == "200 slow");
    CHECK(await_connections(on, servers, 2) == 2);
}

TEST_CASE("requests waiting for one origin do not block another") {
    own_loop on;
    client_options one;
    one.connections_per_origin = 1;
    client http(one);
    app_server first(on, make_slow()), second(on, make_slow());
    auto slow = ask_together(http, first.url() + "/60", 3);
    auto quick = ask_together(http, second.url() + "/0", 3);
    for (auto& a : quick) CHECK(line_of(a->wait()) == "200 slow");
    CHECK_FALSE(slow[1]->ended());
    slow.erase(slow.begin() + 1);  // cancels a request that is waiting for a connection
    for (auto& a : slow) CHECK(line_of(a->wait()) == "200 slow");
}

TEST_CASE("an idle connection is closed on timeout, or with the client") {
    own_loop on;
    app_server up(on, make_slow());
    client_options brief;
    brief.idle = milliseconds(30);
    client http(brief);
    CHECK(line_of(on.wait(http.get(up.url() + "/0"))) == "200 slow");
    CHECK(up.connections() == 1);
    on.turn_until([&] { return up.connections() == 0; });
    CHECK(up.connections() == 0);
    {
        client other;
        CHECK(line_of(on.wait(other.get(up.url() + "/0"))) == "200 slow");
        client copy = other;
        other = client();
        CHECK(line_of(on.wait(copy.get(up.url() + "/0"))) == "200 slow");
        CHECK(up.connections() == 1);
    }
    on.turn_until([&] { return up.connections() == 0; });
    CHECK(up.connections() == 0);
    CHECK(up.accepts == 2);
}

TEST_CASE("a client may outlive its loop, and be used on another") {
    client http;
    for (int i = 0; i < 2; ++i) {
        own_loop on;
        app_server up(on, make_slow());
        CHECK(line_of(on.wait(http.get(up.url() + "/0"))) == "200 slow");
    }
}

TEST_CASE("a task is abandoned on timeout") {
    own_loop on;
    struct told {
        bool& gone;
        ~told() { gone = true; }
    };
    bool gone = false;
    auto slow = [](bool& flag) -> task<int> {
        told t{flag};
        co_await apus::sleep_for(seconds(100));
        co_return 1;
    };
    auto wait = [](task<int> t, std::uint64_t due) -> task<std::string> {
        outbound::with_deadline limited(std::move(t), due);
        auto got = co_await limited;
        if (!got) co_return "late";
        co_return *got ? std::to_string(**got) : (*got).error().detail();
    };
    CHECK(on.wait(wait(slow(gone), on.loop.now() + 10)) == "late");
    CHECK(gone);
    auto soon = [](int ms) -> task<int> {
        if (ms) co_await apus::sleep_for(milliseconds(ms));
        if (ms > 5) co_await fail(500, "failed");
        co_return ms;
    };
    CHECK(on.wait(wait(soon(0), on.loop.now() + 1000)) == "0");
    CHECK(on.wait(wait(soon(5), on.loop.now() + 1000)) == "5");
    CHECK(on.wait(wait(soon(6), on.loop.now() + 1000)) == "failed");
    running_task dropped(wait(slow(gone = false), on.loop.now() + 1000));
}
