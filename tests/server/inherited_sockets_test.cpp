// SPDX-License-Identifier: Apache-2.0
#include "server/inherited_sockets.hpp"

#include "server/listeners.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace apus;
using namespace apus::server;

namespace {

// Returns a listening socket on a free port of 127.0.0.1.
int listening() {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
    REQUIRE(listen(fd, 10) == 0);
    return fd;
}

inherited_socket inherited(const char* name) {
    const int fd = listening();
    return {fd, name, net::endpoint::of(fd)};
}

// Returns a letter per socket of each core (p: http, s: https), then the names of the sockets to pass, or the error.
std::string opened(const serve_options& options, unsigned cores, std::vector<inherited_socket> got) {
    auto made = open_listeners(options, cores, std::move(got));
    if (!made) return made.error();
    std::string text;
    for (auto& core : made->of_core) {
        for (auto& l : core) text += l.where().url().starts_with("https") ? "s" : "p";
        text += ' ';
    }
    for (auto& s : made->sockets) text += s.name + ' ';
    return text;
}

}  // namespace

TEST_CASE("inherited sockets: variables of another process, or none, mean no sockets") {
    CHECK(inherited_sockets(false)->empty());
    setenv("LISTEN_PID", "1", 1);
    setenv("LISTEN_FDS", "1", 1);
    CHECK(inherited_sockets(false)->empty());
    CHECK(!std::getenv("LISTEN_FDS"));
    setenv("LISTEN_PID", std::to_string(getpid()).c_str(), 1);
    setenv("LISTEN_FDS", "4097", 1);
    CHECK(inherited_sockets(false).error() == "LISTEN_FDS must be a number from 0 to 4096, not `4097`");
    setenv("LISTEN_PID", std::to_string(getpid()).c_str(), 1);
    setenv("LISTEN_FDS", "2", 1);
    setenv("LISTEN_FDNAMES", "a:b:c", 1);
    CHECK(inherited_sockets(false).error() == "LISTEN_FDNAMES has 3 names for 2 sockets");
}

TEST_CASE("inherited sockets: each is a different listening stream socket") {
    const int fd = listening(), idle = socket(AF_INET, SOCK_STREAM, 0);
    const auto label = [](int of) { return "inherited descriptor " + std::to_string(of) + " (`a`) "; };
    CHECK(check_sockets(fd, {"a"})->front().where.port() != 0);
    CHECK(check_sockets(idle, {"a"}).error() == label(idle) + "is not listening: use Accept=no");
    const int same = dup2(fd, 700);
    CHECK(dup2(fd, 701) == 701);
    CHECK(check_sockets(same, {"b", "a"}).error() == label(701) + "is the same socket as descriptor 700");
    close(701);
    CHECK(check_sockets(701, {"a"}).error() == label(701) + "is closed or not a socket");
    for (const int one : {fd, idle, same}) close(one);
}

TEST_CASE("inherited sockets are distributed over cores, and passed on once") {
    serve_options options;
    CHECK(opened(options, 3, {}).ends_with("apus-listener apus-listener apus-listener ") == true);
    CHECK(opened(options, 3, {inherited("web")}) == "p p p web ");
    CHECK(opened(options, 1, {inherited("a"), inherited("b")}) == "pp a b ");
    // Sockets of an earlier process are closed if their address is no longer configured.
    options.port = 0;
    CHECK(opened(options, 1, {inherited("apus-listener")}) == "p apus-listener ");
    options.host = "127.0.0.2";
    CHECK(opened(options, 1, {inherited("apus-stored")}) == "p apus-listener ");
    CHECK(opened(options, 1, {inherited("https")}).contains("https needs certificates"));
}
