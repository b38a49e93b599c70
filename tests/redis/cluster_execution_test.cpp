// SPDX-License-Identifier: Apache-2.0
#include "redis/cluster_execution.hpp"

#include "redis/key_slot.hpp"
#include "redis/redis_server.hpp"
#include "redis/scripted_redis.hpp"

#include <chrono>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

const std::string cluster_hello = "%2\r\n+mode\r\n+cluster\r\n+role\r\n+master\r\n";
const std::string healthy = "$16\r\ncluster_state:ok\r\n";
const std::string all_slots = "*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n_\r\n:PORT\r\n+id\r\n";
const std::string slot = std::to_string(redis::slot_of_key("k"));

/// A node that serves all slots. Sends the texts after those that the client's first command needs.
scripted_redis::options node_with(std::vector<std::string> replies) {
    std::vector<std::string> says{cluster_hello, healthy, all_slots};
    says.insert(says.end(), replies.begin(), replies.end());
    return {.says = std::move(says), .tcp = true};
}
std::vector<std::string> times(std::size_t count, const std::string& text) { return {count, text}; }
std::string url_of(const scripted_redis& of) { return "redis+cluster://127.0.0.1:" + of.port(); }

const redis::client_options patient{.command_timeout = seconds(30), .connect_timeout = seconds(20)};
const redis::client_options hurried{.command_timeout = milliseconds(500), .connect_timeout = milliseconds(300)};

/// Sends SET to a node. Returns the reply, or "STATUS cause".
std::string served(const scripted_redis::options& o, const char* backend) {
    const scripted_redis server(o);
    redis_user u(url_of(server), backend, patient);
    const auto got = u.run(u.client.command<std::string>("SET", "k", "v"));
    return got ? *got : redis_user::failure(got);
}

/// Sends SET to a node that does not execute it. Returns "STATUS cause". Checks that this takes less than 5 s.
std::string asked(const scripted_redis::options& o, const char* backend) {
    const scripted_redis server(o);
    redis_user u(url_of(server), backend, hurried);
    const auto began = std::chrono::steady_clock::now();
    const auto got = u.run(u.client.command<std::string>("SET", "k", "v"));
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(5));
    return got ? *got : redis_user::failure(got);
}

}  // namespace

TEST_CASE("nodes that serve, redirect, or lie about others: the reply, or an error in time") {
    const std::string moved = "-MOVED " + slot + " 127.0.0.1:PORT\r\n", ask = "-ASK " + slot + " :PORT\r\n";
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        CHECK(served(node_with({"+one\r\n"}), backend) == "one");
        CHECK(served(node_with({"-ERR no\r\n"}), backend).starts_with("500 ERR no"));
        CHECK(served(node_with({ask, "+OK\r\n", "+asked\r\n"}), backend) == "asked");
        CHECK(served(node_with({moved, "+moved\r\n"}), backend) == "moved");
        // The client may read the map of slots in between, so all further texts are the same.
        CHECK(served(node_with(times(60, moved)), backend).contains("redirect a command in a circle"));
        CHECK(served(node_with(times(60, ask)), backend).contains("redirect a command in a circle"));
        CHECK(asked(node_with(times(60, "-TRYAGAIN later\r\n")), backend).starts_with("503 TRYAGAIN"));
        CHECK(asked(node_with(times(60, "-CLUSTERDOWN down\r\n")), backend).starts_with("503 CLUSTERDOWN"));
        CHECK(served(node_with({"-TRYAGAIN later\r\n", "+OK\r\n", "+OK\r\n", "+OK\r\n"}), backend) == "OK");
        CHECK(asked(node_with({"-MOVED 1 127.0.0.1:PORT\r\n"}), backend).contains("invalid redirection"));
        CHECK(asked(node_with({"-MOVED " + slot + " 127.0.0.1:0\r\n"}), backend).contains("invalid redirection"));
        // Another node that cannot be reached. No further map arrives.
        CHECK(asked(node_with({"-MOVED " + slot + " 127.0.0.1:1\r\n"}), backend).starts_with("503 "));
        CHECK(asked(node_with({}), backend).starts_with("504 "));
        for (const char* map :
             {"-ERR cluster support disabled\r\n", "*0\r\n", "+OK\r\n", "*1\r\n*1\r\n:1\r\n", "garbage"})
            CHECK(asked({.says = {cluster_hello, healthy, map}, .tcp = true}, backend).starts_with("503 "));
        CHECK(asked({.says = {"-WRONGPASS x\r\n"}, .tcp = true}, backend).starts_with("503 "));
        CHECK(asked({.tcp = true}, backend).starts_with("503 "));
    }
}

TEST_CASE("a command of a module whose key is not the first argument") {
    for (const char* backend : {"epoll", "uring"}) {
        const scripted_redis module(node_with({"-MOVED 1 127.0.0.1:PORT\r\n"}));
        redis_user u(url_of(module), backend, patient);
        CHECK(
            u.failure(u.client.command<>("MY.MODULE", "k")).starts_with("500 on a cluster, the key of a command of a"));
    }
}

TEST_CASE("a server that is not a node of a cluster") {
    const scripted_redis server({.says = {redis_hello, "+PONG\r\n"}, .tcp = true});
    redis_user u(url_of(server), "epoll", hurried);
    CHECK(u.failure(u.client.command<std::string>("PING")).contains("the server is not a node of a cluster"));
}

TEST_CASE("keys of several slots, and commands for one node: an error before anything is sent") {
    redis_user u("redis+cluster://127.0.0.1:1", "epoll", hurried);
    const std::string several = "500 the keys belong to several hash slots of the cluster: give them a common hash tag";
    CHECK(u.failure(u.client.del("a", "b")).starts_with(several));
    CHECK(u.failure(u.client.command<>("MSET", "a", 1, "b", 2)).starts_with(several));
    const redis::script two("return 1");
    CHECK(u.failure(u.client.eval<int>(two, std::vector<std::string>{"a", "b"})).starts_with(several));
    redis::batch both;
    both.add("SET", "a", 1).add("SET", "b", 2);
    CHECK(u.failure(u.client.run_atomically(both)).starts_with(several));
    CHECK(u.failure(u.client.command<>("FLUSHALL")).starts_with("500 on a cluster, this command would concern only"));
    redis::batch wrong;
    wrong.add("DEL", "a", "b");
    CHECK(u.failure(u.client.run(wrong)).starts_with(several));
    // Without a common slot, each command of a pipeline goes to its own node.
    CHECK(u.failure(u.client.run(both)).starts_with("503 "));
}

TEST_CASE("a reserved connection of a cluster serves the keys of one slot") {
    const scripted_redis server(node_with({"+OK\r\n"}));
    redis_user u(url_of(server), "epoll", hurried);
    {
        const auto reserved = u.value(u.client.reserve());
        CHECK(u.failure(reserved.command<>("PING")).contains("the first command of a reserved connection needs a key"));
    }
    const auto reserved = u.value(u.client.reserve());
    CHECK(u.failure(reserved.command<>("MGET", "a", "b")).starts_with("500 the keys belong to several hash slots"));
}

TEST_CASE("a reserved connection whose node refuses a later command stays lost, since nothing is watched any more") {
    const std::string moved = "-MOVED " + slot + " 127.0.0.1:PORT\r\n", ok = "+OK\r\n";
    for (const char* backend : {"epoll", "uring"}) {
        auto texts = node_with({"+read\r\n"});
        texts.later = {cluster_hello, ok, moved, ok, ok};
        scripted_redis server(std::move(texts));
        redis_user u(url_of(server), backend, patient);
        CHECK(u.value(u.client.command<std::string>("GET", "k")) == "read");  // reads the map of slots
        server.change();
        const auto reserved = u.value(u.client.reserve());
        u.value(reserved.watch("k"));
        CHECK(
            u.failure(reserved.command<std::string>("GET", "k")).starts_with("503 the keys of a reserved connection"));
        CHECK(u.failure(reserved.run_atomically(redis::batch().add("SET", "k", "v")))
                  .starts_with("503 the reserved connection was lost"));
    }
}

TEST_CASE("the connection for commands without keys leaves a node that has left the cluster") {
    for (const char* backend : {"epoll", "uring"}) {
        const scripted_redis other({.says = {cluster_hello, "+other\r\n", healthy, all_slots}, .tcp = true});
        const std::string of_other =
            "*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$9\r\n127.0.0.1\r\n:" + other.port() + "\r\n+id\r\n";
        auto texts =
            node_with({"+left\r\n", "-MOVED " + slot + " 127.0.0.1:" + other.port() + "\r\n", healthy, of_other});
        texts.later = times(10'000, "+left\r\n");
        texts.later[0] = cluster_hello;
        scripted_redis left(std::move(texts));
        redis_user u(url_of(left), backend, patient);
        CHECK(u.value(u.client.command<std::string>("GET", "k")) == "left");
        left.change();
        CHECK(u.value(u.client.command<std::string>("ECHO", "x")) == "left");
        CHECK(u.value(u.client.command<std::string>("GET", "k")) == "other");
        CHECK(u.turn_until([&] { return u.value(u.client.command<std::string>("ECHO", "x")) == "other"; }));
    }
}

TEST_CASE("too many commands of a cluster: 503, also if no node is known") {
    const scripted_redis silent({.says = {cluster_hello}, .tcp = true});
    redis_user u(url_of(silent), "epoll",
                 {.command_timeout = milliseconds(300), .connect_timeout = milliseconds(200), .queue = 3});
    std::vector<std::unique_ptr<running_task<long long>>> all;
    for (int i = 0; i < 3; ++i) all.push_back(std::make_unique<running_task<long long>>(u.client.incr("n")));
    CHECK(u.failure(u.client.incr("n")).starts_with("503 over redis::client_options::queue"));
    for (const auto& one : all) CHECK(redis_user::failure(finished(*one)).starts_with("503 "));
    all.clear();
    CHECK(u.failure(u.client.incr("n")) == "503 no node of the cluster is known to serve the key");
}

TEST_CASE("a core that stops fails commands of a cluster, and clients may outlive it") {
    const scripted_redis silent(node_with({}));
    auto u = std::make_unique<redis_user>(url_of(silent));
    const redis::client copy = u->client;
    auto waiting = std::make_unique<running_task<long long>>(copy.incr("k"));
    u->at.loop->turn(20);
    u->at.loop->turn(20);
    u->at.loop->settle();
    CHECK(redis_user::failure(finished(*waiting)).starts_with("503 "));
    waiting.reset();
    u.reset();
}
