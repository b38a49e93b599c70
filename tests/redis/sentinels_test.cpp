// SPDX-License-Identifier: Apache-2.0
#include "redis/sentinels.hpp"

#include "redis/redis_server.hpp"
#include "redis/scripted_redis.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

const std::string primary_hello = "%2\r\n+mode\r\n+standalone\r\n+role\r\n+master\r\n";
const std::string replica_hello = "%2\r\n+mode\r\n+standalone\r\n+role\r\n+replica\r\n";
const std::string none_known = "_\r\n", subscribed = ">3\r\n+subscribe\r\n$14\r\n+switch-master\r\n:1\r\n";

std::string bulk(const std::string& text) { return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n"; }
std::string named(const std::string& port) { return "*2\r\n" + bulk("127.0.0.1") + bulk(port); }

using scripted = std::unique_ptr<scripted_redis>;

scripted speaking(std::vector<std::string> says) {
    return std::make_unique<scripted_redis>(scripted_redis::options{.says = std::move(says), .tcp = true});
}
scripted sentinel(const std::string& reply) { return speaking({primary_hello, reply}); }

std::string url_of(const std::vector<scripted>& sentinels) {
    std::string made = "redis+sentinel://";
    for (const auto& one : sentinels) made += (made.ends_with('/') ? "" : ",") + ("127.0.0.1:" + one->port());
    return made + "/main";
}

struct told {
    std::string got;
    std::chrono::steady_clock::duration took;
};

/// Sends ECHO to the primary that the sentinels name.
told echo(const std::vector<scripted>& sentinels, const char* backend) {
    redis_user u(url_of(sentinels), backend, {.command_timeout = seconds(4), .connect_timeout = milliseconds(800)});
    const auto began = std::chrono::steady_clock::now();
    const auto got = u.run(u.client.command<std::string>("ECHO", "x"));
    return {got ? *got : redis_user::failure(got), std::chrono::steady_clock::now() - began};
}

template <class... S>
std::vector<scripted> list(S... each) {
    std::vector<scripted> made;
    (made.push_back(std::move(each)), ...);
    return made;
}

}  // namespace

TEST_CASE("sentinels that agree, disagree, hang, close or lie: the primary, or an error in time") {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        const auto primary = speaking({primary_hello, "+primary\r\n"});
        const auto former = speaking({primary_hello, "+former\r\n"});
        const auto replica = speaking({replica_hello, "+replica\r\n"});
        const auto at = [](const scripted& of) { return sentinel(named(of->port())); };
        const auto hangs = [] { return speaking({}); };

        CHECK(echo(list(at(primary)), backend).got == "primary");
        CHECK(echo(list(at(primary), at(primary), at(former)), backend).got == "primary");
        CHECK(echo(list(at(former), at(primary), at(primary)), backend).got == "primary");
        CHECK(echo(list(hangs(), hangs(), at(primary)), backend).got == "primary");
        CHECK(echo(list(sentinel(none_known), sentinel("-ERR x\r\n"), at(primary)), backend).got == "primary");
        CHECK(echo(list(sentinel("garbage"), sentinel(named("0")), at(primary)), backend).got == "primary");
        // Most sentinels still name a server that is now a replica, or that does not respond.
        CHECK(echo(list(at(replica), at(replica), at(primary)), backend).got == "primary");
        CHECK(echo(list(at(hangs()), at(hangs()), at(primary)), backend).got == "primary");
        const auto silent = hangs();
        CHECK(echo(list(at(silent), at(silent), at(primary)), backend).got == "primary");

        for (const auto& [sentinels, why] :
             {std::pair(list(at(replica)), "503 the sentinels name a server that is not a primary"),
              std::pair(list(sentinel(none_known)), "no valid address for the service main"),
              std::pair(list(sentinel("-NOAUTH x\r\n")), "NOAUTH"),
              std::pair(list(speaking({"-WRONGPASS x\r\n"})), "WRONGPASS"), std::pair(list(hangs()), "timeout"),
              std::pair(list(at(silent), at(silent)), "timeout")}) {
            CAPTURE(why);
            const auto got = echo(sentinels, backend);
            CHECK(got.got.starts_with("503 "));
            CHECK(got.got.contains(why));
            CHECK(got.took < std::chrono::seconds(4));
        }
    }
}

TEST_CASE("a primary that became a replica: its refusal leads to another connection, and is returned if repeated") {
    for (const char* backend : {"epoll", "uring"}) {
        const auto primary = speaking({primary_hello, "-READONLY You can't write against a read only replica.\r\n"});
        const auto sentinels = list(sentinel(named(primary->port())));
        redis_user u(url_of(sentinels), backend);
        CHECK(u.failure(u.client.incr("n")).starts_with("500 READONLY"));
        CHECK(primary->accepted() >= 2);
    }
}

TEST_CASE("a message of a sentinel about another primary leads to a check, which ignores false messages") {
    const auto primary = speaking({primary_hello, "+one\r\n", "+two\r\n"});
    std::string news = subscribed;
    for (int i = 0; i < 1'000; ++i)
        news += ">3\r\n+message\r\n" + bulk("+switch-master") + bulk("main 127.0.0.1 1 127.0.0.1 2");
    // The replies of each connection: SENTINEL, or SUBSCRIBE with messages.
    const auto asked = sentinel(named(primary->port()));
    const auto sentinels = list(speaking({primary_hello, news}));
    redis_user u("redis+sentinel://127.0.0.1:" + sentinels[0]->port() + ",127.0.0.1:" + asked->port() + "/main");
    CHECK(u.value(u.client.command<std::string>("ECHO", "x")) == "one");
    CHECK(u.turn_until([&] { return primary->accepted() >= 2; }));
    CHECK(u.value(u.client.command<std::string>("ECHO", "x")) == "two");  // still on the first connection
    CHECK(primary->accepted() < 50);
}

TEST_CASE("sentinels that learn of a failover later than the one that announces it") {
    for (const char* backend : {"epoll", "uring"}) {
        std::vector<std::string> says(5'000, "+former\r\n");
        says[0] = primary_hello;
        const auto former = speaking(says), primary = speaking({primary_hello, "+primary\r\n"});
        const auto announces = speaking({primary_hello, subscribed + ">3\r\n+message\r\n" + bulk("+switch-master") +
                                                            bulk("main 127.0.0.1 1 127.0.0.1 2")});
        const auto learns = [&] {
            return std::make_unique<scripted_redis>(
                scripted_redis::options{.says = {primary_hello, named(former->port())},
                                        .later = {primary_hello, named(primary->port())},
                                        .tcp = true});
        };
        const auto first = learns(), second = learns();
        redis_user u("redis+sentinel://127.0.0.1:" + announces->port() + ",127.0.0.1:" + first->port() +
                         ",127.0.0.1:" + second->port() + "/main",
                     backend);
        CHECK(u.value(u.client.command<std::string>("ECHO", "x")) == "former");
        CHECK(u.turn_until(
            [&] { return former->accepted() >= 3; }));  // the checks after subscribing and after the message
        first->change();
        second->change();
        CHECK(u.turn_until([&] {
            u.at.loop->turn(10);
            return u.value(u.client.command<std::string>("ECHO", "x")) == "primary";
        }));
    }
}

TEST_CASE("a check that fails is repeated") {
    const auto former = speaking({primary_hello, "+former\r\n"}), primary = speaking({primary_hello, "+primary\r\n"});
    const auto announces = speaking({primary_hello, subscribed});
    scripted_redis asked(
        {.says = {primary_hello, named(former->port())}, .later = {primary_hello, named("1")}, .tcp = true});
    redis_user u("redis+sentinel://127.0.0.1:" + announces->port() + ",127.0.0.1:" + asked.port() + "/main");
    CHECK(u.value(u.client.command<std::string>("ECHO", "x")) == "former");
    asked.change();
    const unsigned before = asked.accepted();
    CHECK(
        u.turn_until([&] { return asked.accepted() >= before + 4; }));  // without failures, there are pauses of seconds
}

TEST_CASE("transactions and batches that a replica refuses lead to another connection") {
    const std::string readonly = "-READONLY You can't write against a read only replica.\r\n", ok = "+OK\r\n";
    const std::string aborted = "-EXECABORT Transaction discarded because of previous errors.\r\n";
    const std::string late = "-EXECABORT Transaction discarded because of: READONLY You can't write.\r\n";
    const std::string queued = "+QUEUED\r\n", done = "*2\r\n+OK\r\n:1\r\n";
    redis::batch both;
    both.add("SET", "a", "1").add("INCR", "n");
    for (const char* backend : {"epoll", "uring"}) {
        for (const auto& refusal : {ok + readonly + readonly + aborted, ok + queued + queued + late}) {
            scripted_redis server({.says = {primary_hello, "+x\r\n", refusal},
                                   .later = {primary_hello, ok, queued, queued, done},
                                   .tcp = true});
            const auto sentinels = list(sentinel(named(server.port())));
            redis_user u(url_of(sentinels), backend);
            CHECK(u.value(u.client.command<std::string>("ECHO", "x")) == "x");
            server.change();
            CHECK(u.value(u.client.run_atomically(both)).has_value());
        }
        scripted_redis server({.says = {primary_hello, "+x\r\n", ":1\r\n", readonly},
                               .later = {primary_hello, ok, ":1\r\n"},
                               .tcp = true});
        const auto sentinels = list(sentinel(named(server.port())));
        redis_user u(url_of(sentinels), backend);
        CHECK(u.value(u.client.command<std::string>("ECHO", "x")) == "x");
        server.change();
        CHECK(!u.value(u.client.run(both)).at<long long>(1));  // not repeated: some commands may have succeeded
        CHECK(u.value(u.client.run(both)).at<long long>(1).value() == 1);
    }
}

TEST_CASE("options of sentinels that would be ignored are refused") {
    const auto make = [](const char* url, redis::sentinel_options o) {
        return redis::client(url, {.sentinel = std::move(o)});
    };
    for (const auto& o : {redis::sentinel_options{.user = "u"}, redis::sentinel_options{.password = "p"},
                          redis::sentinel_options{.tls = true}, redis::sentinel_options{.tls_authorities = "x"}}) {
        CHECK_THROWS_AS(make("redis://a", o), std::invalid_argument);
        CHECK_THROWS_AS(make("redis+cluster://a", o), std::invalid_argument);
    }
    CHECK_THROWS_AS(make("redis+sentinel://a/main", {.tls_key = "x"}), std::invalid_argument);
    CHECK_NOTHROW(make("redis+sentinel://a/main", {.user = "u", .password = "p"}));
}

TEST_CASE("replies and messages of sentinels") {
    const auto shown = [](std::string_view reply) {
        const auto at = redis::read_primary(reply);
        return at ? to_text(*at) : std::string("none");
    };
    CHECK(shown(named("6379")) == "127.0.0.1:6379");
    CHECK(shown("*2\r\n+redis.example\r\n+1\r\n") == "redis.example:1");
    const std::vector<std::string> invalid = {none_known,
                                              "*-1\r\n",
                                              "*0\r\n",
                                              "+OK\r\n",
                                              "*2\r\n*1\r\n+a\r\n+1\r\n",
                                              "*2\r\n+a\r\n:1\r\n",
                                              "*3\r\n+a\r\n+1\r\n+b\r\n",
                                              named("65536"),
                                              named(""),
                                              named("x"),
                                              "*2\r\n" + bulk("") + bulk("1"),
                                              "*2\r\n" + bulk("a b") + bulk("1")};
    for (const auto& reply : invalid) CHECK(shown(reply) == "none");

    const auto message = [](const std::string& channel, const std::string& payload) {
        return ">3\r\n+message\r\n" + bulk(channel) + bulk(payload);
    };
    CHECK(redis::is_switch_of(message("+switch-master", "main a 1 b 2"), "main"));
    CHECK(!redis::is_switch_of(message("+switch-master", "main2 a 1 b 2"), "main"));
    CHECK(!redis::is_switch_of(message("+switch-master", "other a 1 b 2"), "main"));
    CHECK(!redis::is_switch_of(message("+sdown", "main a 1 b 2"), "main"));
    CHECK(!redis::is_switch_of(subscribed, "main"));
    CHECK(!redis::is_switch_of(">1\r\n+message\r\n", "main"));
    CHECK(!redis::is_switch_of(">3\r\n+message\r\n*1\r\n+a\r\n+b\r\n", "main"));
    CHECK(!redis::is_switch_of(">3\r\n+message\r\n$14\r\n+switch-master\r\n:1\r\n", "main"));
}
