// SPDX-License-Identifier: Apache-2.0
#include "server/connection_balancer.hpp"

#include "net/listener.hpp"
#include "support/skipped.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using apus::server::address_key;
using apus::server::connection_balancer;

namespace {

// Places connections that the kernel assigns to cores with these weights. Returns the number per core.
std::vector<unsigned> place_all(unsigned connections, const std::vector<double>& weights) {
    connection_balancer s(static_cast<unsigned>(weights.size()));
    std::mt19937 random(7);
    std::discrete_distribution<unsigned> accepts(weights.begin(), weights.end());
    std::vector<unsigned> have(weights.size());
    for (unsigned i = 0; i < connections; ++i) ++have[s.place(accepts(random), true)];
    CHECK(s.total() == connections);
    return have;
}

}  // namespace

TEST_CASE("connections are balanced between cores for any kernel hash") {
    for (const auto& weights : {std::vector<double>{1, 1},
                                {1, 3},
                                {0, 1},
                                {1, 1, 1, 1},
                                {5, 1, 1, 1},
                                {0, 0, 0, 1},
                                {1, 2, 3, 4, 5, 6, 7, 8}}) {
        for (unsigned connections : {16U, 100U, 800U, 10'000U}) {
            CAPTURE(weights.size());
            CAPTURE(connections);
            const auto have = place_all(connections, weights);
            const auto [least, most] = std::minmax_element(have.begin(), have.end());
            CHECK(*most <= *least + *least / 8 + 2);
        }
    }
}

TEST_CASE("a connection stays on the accepting core unless that core has clearly more") {
    connection_balancer s(2);
    for (int i = 0; i < 8; ++i) s.place(0, true), s.place(1, true);
    CHECK(s.place(0, true) == 0);  // the cores then have 8 and 8 connections
    CHECK(s.place(0, true) == 0);  // the cores then have 9 and 8 connections
    CHECK(s.place(0, true) == 1);  // 10 connections would exceed 8 by more than an eighth
    CHECK(s.place(1, true) == 1);
    for (int i = 0; i < 5; ++i) s.left(0);
    CHECK(s.place(1, true) == 0);
}

TEST_CASE("a single core serves everything") {
    connection_balancer s(1);
    for (int i = 0; i < 10; ++i) CHECK(s.place(0, true) == 0);
    s.left(0);
    CHECK(s.total() == 9);
}

TEST_CASE("concurrent placement and closing keep the counts consistent") {
    connection_balancer s(4);
    std::vector<std::thread> threads;
    for (unsigned core = 0; core < 4; ++core) {
        threads.emplace_back([&s, core] {
            for (int i = 0; i < 5000; ++i) s.left(s.place(core, true));
            s.place(core, true);
        });
    }
    for (auto& t : threads) t.join();
    CHECK(s.total() == 4);
}

TEST_CASE("connections per address are limited, and closing one makes room") {
    connection_balancer s(2);
    CHECK(s.enter_address(1, 2));
    CHECK(s.enter_address(1, 2));
    CHECK_FALSE(s.enter_address(1, 2));
    CHECK_FALSE(s.enter_address(1, 2));
    CHECK(s.enter_address(2, 2));
    s.leave_address(1);
    CHECK(s.enter_address(1, 2));
    CHECK_FALSE(s.enter_address(1, 2));
    s.leave_address(2);
    CHECK(s.enter_address(2, 1));
}

TEST_CASE("equal addresses have equal keys on all ports and sockets") {
    auto v4 = apus::net::listener::open(*apus::net::endpoint::parse("127.0.0.1:0")).value();
    auto key_from = [](const apus::net::listener& to, const char* from) -> std::uint64_t {
        const int fd = socket(to.where().address()->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (from) {
            auto own = *apus::net::endpoint::parse(from, 0);
            if (bind(fd, own.address(), own.size()) != 0) return close(fd), 0;
        }
        if (connect(fd, to.where().address(), to.where().size()) != 0) return close(fd), 0;
        int ours;
        while ((ours = accept4(to.fd(), nullptr, nullptr, SOCK_CLOEXEC)) < 0) {}
        const auto key = address_key(ours);
        close(ours);
        close(fd);
        return key;
    };
    const auto here = key_from(v4, "127.0.0.1");
    CHECK(here != 0);
    CHECK(key_from(v4, "127.0.0.1") == here);
    CHECK(key_from(v4, "127.0.0.2") != here);
    CHECK(key_from(v4, "127.0.0.2") != 0);

    // On a dual-stack socket, an IPv4 client has the same key.
    auto both = apus::net::listener::open(*apus::net::endpoint::parse("[::]:0"));
    if (both) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = reinterpret_cast<const sockaddr_in6*>(both->where().address())->sin6_port;
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        REQUIRE(connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0);
        int ours;
        while ((ours = accept4(both->fd(), nullptr, nullptr, SOCK_CLOEXEC)) < 0) {}
        CHECK(address_key(ours) == here);
        close(ours);
        close(fd);
    } else {
        apus::support::skip("there is no IPv6: " + both.error());
    }

    int pair[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    CHECK(address_key(pair[0]) == 0);
    close(pair[0]);
    close(pair[1]);
}
