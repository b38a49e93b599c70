// SPDX-License-Identifier: Apache-2.0
#include "server/successor.hpp"

#include "server/restart_parent.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace apus::server;

TEST_CASE("a predecessor is read from the environment, and only from a channel") {
    setenv("APUS_RESTART", "2", 1);
    CHECK(!predecessor());
    CHECK(!std::getenv("APUS_RESTART"));
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    setenv("APUS_RESTART", std::to_string(ends[1]).c_str(), 1);
    predecessor old;
    REQUIRE(old);
    CHECK(old.channel().fd < 0);
    old.report_ready();
    char text[100];
    CHECK(recv(ends[0], text, sizeof text, 0) == 5);
    CHECK(!old.has_left());
    old.report_failure(std::string(2000, 'x'));
    CHECK(recv(ends[0], text, sizeof text, 0) == sizeof text);
    CHECK(!old.look().released);
    CHECK(send(ends[0], "reload 0", 8, 0) == 8);
    CHECK(send(ends[0], "stop 15", 7, 0) == 7);
    CHECK(old.look().reload);
    CHECK(old.look().stop == 15);
    close(ends[0]);
    CHECK(old.has_left());
    old.report_serving();
    CHECK(old);
    CHECK(old.look().released);
    CHECK(old);
    old.close();
    CHECK(!old);
}

TEST_CASE("a new process joins the process group of the old one at the release") {
    const auto joins_at_the_release = [] {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return false;
        setenv("APUS_RESTART", std::to_string(ends[1]).c_str(), 1);
        predecessor old;
        const pid_t of_old = getpgrp();
        const std::string serve = "serve " + std::to_string(of_old);
        if (setpgid(0, 0) != 0 || send(ends[0], serve.data(), serve.size(), 0) < 0 || !old.has_left()) return false;
        const bool stays = getpgrp() == getpid();
        close(ends[0]);
        return stays && old.look().released && getpgrp() == of_old;
    };
    const pid_t child = fork();
    if (child == 0) _exit(joins_at_the_release() ? 0 : 1);
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("only process 1 stays as the parent of its successors") {
    CHECK(!restart_parent::needed());
    CHECK(restart_parent().address().starts_with("@"));
}
