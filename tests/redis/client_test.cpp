// SPDX-License-Identifier: Apache-2.0
#include <apus/redis.hpp>

#include "redis/redis_server.hpp"

#include <apus/secret.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

struct visitor {
    std::string name;
    int visits = 0;
    std::optional<secret<std::string>> token = {};
};

}  // namespace

TEST_CASE("Redis: typed commands") {
    on_each_loop([](redis_server&, redis_user& u) {
        const auto& r = u.client;
        CHECK(u.value(r.get("k")) == std::nullopt);
        CHECK(u.value(r.set("k", "v")));
        CHECK(u.value(r.get("k")) == "v");
        CHECK(!u.value(r.set("k", "w", {.when = redis::set_when::absent})));
        CHECK(
            u.value(r.set("k", std::string("\0\r\n", 3), {.expires = seconds(100), .when = redis::set_when::present})));
        CHECK(u.value(r.get("k")) == std::string("\0\r\n", 3));
        CHECK(u.value(r.command<int>("TTL", "k")) == 100);
        CHECK(u.value(r.set("k", 7, {.keep_expiry = true})));
        CHECK(u.value(r.get<int>("k")) == 7);
        CHECK(u.value(r.incr("k", 35)) == 42);
        CHECK(u.value(r.expire("k", milliseconds(90'000))));
        CHECK(!u.value(r.expire("other", seconds(1))));
        CHECK(u.value(r.del("k", "other")) == 1);
        CHECK(u.value(r.publish("nobody", "x")) == 0);
        CHECK(u.value(r.command<long long>("ZADD", "z", 1.5, "ann", 2, "bob")) == 2);
        CHECK(u.value(r.command<double>("ZSCORE", "z", "ann")) == 1.5);
        CHECK(u.value(r.command<std::map<std::string, double>>("ZRANGE", "z", 0, -1, "WITHSCORES")).at("bob") == 2);
        CHECK(u.value(r.command<std::vector<std::string>>("ZRANGE", "z", 0, -1)) ==
              std::vector<std::string>{"ann", "bob"});
        u.value(r.command<>("RPUSH", "list", std::vector<int>{1, 2, 3}));
        CHECK(u.value(r.command<std::vector<int>>("LRANGE", "list", 0, -1)) == std::vector<int>{1, 2, 3});
        const auto h = r.hash("h");
        CHECK(u.value(h.set("a", 1, "b", "x")) == 2);
        CHECK(u.value(h.get("b")) == "x");
        CHECK(u.value(h.get<int>("c")) == std::nullopt);
        CHECK(u.value(h.increment("a")) == 2);
        CHECK(u.value(h.all<std::map<std::string, std::string>>()).size() == 2);
        CHECK(u.value(h.erase("a", "c")) == 1);
    });
}

TEST_CASE("Redis: structs as JSON") {
    redis_server server;
    redis_user u(server.url());
    CHECK(u.value(u.client.get_json<visitor>("v")) == std::nullopt);
    CHECK(u.value(u.client.set_json("v", visitor{"ann", 3, "hidden"}, {.expires = seconds(9)})));
    const auto found = u.value(u.client.get_json<visitor>("v"));
    REQUIRE(found);
    CHECK((found->name == "ann" && found->visits == 3 && found->token->reveal() == "hidden"));
    u.value(u.client.set("v", "{\"name\":1}"));
    CHECK(u.failure(u.client.get_json<visitor>("v")).starts_with("500 the value is not valid JSON of its type"));
}

TEST_CASE("Redis: errors of commands") {
    redis_server server;
    redis_user u(server.url());
    u.value(u.client.set("k", "text"));
    const auto wrong = u.run(u.client.command<int>("LPUSH", "k", "x"));
    REQUIRE(redis::failure_of(wrong));
    CHECK(redis::failure_of(wrong)->code == "WRONGTYPE");
    CHECK(wrong.error().status() == 500);
    CHECK(wrong.error().detail() == "a command of Redis failed");
    const auto hidden = u.failure(u.client.command<>("NOTHING", secret<std::string>("pass")));
    CHECK(hidden == "500 ERR (text hidden, an argument is a secret); command: NOTHING");
    CHECK(u.failure(u.client.command<>("SELECT", 1)).starts_with("500 this command changes the state"));
    CHECK(u.failure(u.client.command<>("blpop", "x", 0)).starts_with("500 this command cannot be sent"));
    CHECK(u.failure(u.client.get<int>("k")) == "500 an integer was expected, the reply has a text; command: GET");
    CHECK_THROWS_AS((void)u.client.expire("k", seconds(0)), std::invalid_argument);
    CHECK_THROWS_AS(redis::client("redis://h:x"), std::invalid_argument);
    const redis::client small(server.url(), {.command_size = 1'000});
    CHECK(u.failure(small.set("k", std::string(1'000, 'x'))).starts_with("413 "));
    CHECK(u.value(small.set("k", std::string(900, 'x'))));
}

TEST_CASE("Redis: scripts are sent once") {
    redis_server server;
    redis_user u(server.url());
    const redis::script add("return redis.call('INCRBY', KEYS[1], ARGV[1])");
    CHECK(add.digest().size() == 40);
    CHECK(redis::script("return 1").digest() == "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
    for (int i = 1; i <= 3; ++i) CHECK(u.value(u.client.eval<int>(add, std::vector<std::string>{"n"}, 2)) == 2 * i);
    CHECK(u.value(u.client.command<std::string>("INFO", "commandstats")).contains("cmdstat_eval:calls=1,"));
    u.value(u.client.command<>("SCRIPT", "FLUSH"));
    CHECK(u.value(u.client.eval<int>(add, std::vector<std::string>{"n"}, 2)) == 8);
    CHECK(u.failure(u.client.eval<int>(redis::script("return oops("), std::vector<std::string>()))
              .starts_with("500 ERR Error compiling"));
}

TEST_CASE("Redis: batches and transactions") {
    on_each_loop([](redis_server&, redis_user& u) {
        redis::batch b;
        b.add("SET", "a", 1).add("LPUSH", "a", 2).add("INCR", "a").add("GET", "none");
        const auto got = u.value(u.client.run(b));
        CHECK(got.size() == 4);
        CHECK(got.at<bool>(0) == true);
        CHECK(redis::failure_of(got.at(1))->code == "WRONGTYPE");
        CHECK(got.at<int>(2) == 2);
        CHECK(*got.at<std::optional<int>>(3) == std::nullopt);
        CHECK(u.value(u.client.run({})).size() == 0);

        const auto all = u.value(u.client.run_atomically(redis::batch(b)));
        REQUIRE(all);
        CHECK(all->size() == 4);
        CHECK(redis::failure_of(all->at(1))->code == "WRONGTYPE");
        CHECK(all->at<int>(2) == 2);
        CHECK(u.value(u.client.run_atomically({}))->size() == 0);
        // If Redis refuses a command before EXEC, no command is executed.
        CHECK(u.failure(u.client.run_atomically(redis::batch().add("SET", "a", 9).add("NOTHING")))
                  .starts_with("500 ERR unknown"));
        CHECK(u.failure(u.client.run_atomically(redis::batch().add("EXEC"))).starts_with("500 this command"));
        CHECK(u.value(u.client.get<int>("a")) == 2);
    });
}

TEST_CASE("Redis: a transaction is repeated if a watched key changes") {
    redis_server server;
    redis_user u(server.url());
    u.value(u.client.set("n", 1));
    int runs = 0;
    const auto doubled = [&](const redis::reserved_connection& on) -> task<redis::batch> {
        const auto n = co_await on.get<int>("n");
        if (++runs == 1) co_await u.client.incr("n");
        co_return redis::batch().add("SET", "n", 2 * n.value_or(0)).add("GET", "n");
    };
    const auto got = u.value(u.client.transaction(std::vector<std::string>{"n"}, doubled));
    CHECK(runs == 2);
    CHECK(got.at<int>(1) == 4);
    const auto never = [&](const redis::reserved_connection&) -> task<redis::batch> {
        co_await u.client.incr("n");
        co_return redis::batch().add("SET", "n", 0);
    };
    CHECK(u.failure(u.client.transaction(std::vector<std::string>{"n"}, never, 3)).starts_with("503 a watched key"));
}

TEST_CASE("Redis: reserved connections wait, and are returned") {
    redis_server server;
    redis_user u(server.url(), "epoll", {.command_timeout = milliseconds(300), .reserved = 2});
    {
        auto one = u.value(u.client.reserve());
        auto other = u.value(u.client.reserve());
        CHECK(u.failure(u.client.reserve()).starts_with("503 over redis::client_options::reserved"));
        running_task popped(one.command<std::pair<std::string, int>>("BLPOP", "queue", 0));
        CHECK(u.value(u.client.command<int>("RPUSH", "queue", 5)) == 1);
        CHECK(finished(popped)->second == 5);
        // A wait that is longer than the timeout ends the connection.
        one.set_timeout(milliseconds(50));
        CHECK(u.failure(one.command<>("BLPOP", "queue", 0)).starts_with("504 "));
        CHECK(u.failure(one.command<>("PING")).starts_with("503 the reserved connection was lost"));
        u.value(other.watch("a"));
    }
    // The returned connection no longer watches keys.
    const auto again = u.value(u.client.reserve());
    u.value(u.client.set("a", 1));
    CHECK(u.value(again.run_atomically(redis::batch().add("SET", "a", 2))));
    CHECK(u.value(u.client.command<std::string>("INFO", "clients")).contains("connected_clients:2\r"));
}
