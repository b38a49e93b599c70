// SPDX-License-Identifier: Apache-2.0
#include "net/listener.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

using apus::net::endpoint;
using apus::net::listener;

namespace {

class folder {
public:
    folder() { REQUIRE(mkdtemp(path_) != nullptr); }
    ~folder() { rmdir(path_); }
    std::string file(const char* name) const { return std::string(path_) + "/" + name; }

private:
    char path_[32] = "/tmp/apus-listener-XXXXXX";
};

class client {
public:
    void say(char c) const { CHECK(send(fd_, &c, 1, MSG_NOSIGNAL) == 1); }

    explicit client(const endpoint& to) : fd_(socket(to.address()->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        error = connect(fd_, to.address(), to.size()) == 0 ? 0 : errno;
    }
    ~client() { close(fd_); }
    int error;

private:
    int fd_;
};

// Returns the pending connection, or -1.
int accept_on(const listener& l) {
    pollfd p{l.fd(), POLLIN, 0};
    poll(&p, 1, 1000);
    return accept4(l.fd(), nullptr, nullptr, SOCK_CLOEXEC);
}

bool exists(const std::string& path) {
    struct stat s;
    return lstat(path.c_str(), &s) == 0;
}

bool has_connection(const listener& l) {
    pollfd p{l.fd(), POLLIN, 0};
    return poll(&p, 1, 0) == 1;
}

endpoint at(const std::string& text) { return endpoint::parse(text).value(); }

}  // namespace

TEST_CASE("a listener listens on its address, and its connections send without delay") {
    for (const char* text : {"127.0.0.1:0", "[::1]:0"}) {
        CAPTURE(text);
        auto l = listener::open(at(text));
        if (!l && std::string(text).starts_with("[")) {
            MESSAGE("no IPv6 here: ", l.error());
            continue;
        }
        REQUIRE(l);
        CHECK_FALSE(l->where().url().ends_with(":0"));
        client c(l->where());
        CHECK(c.error == 0);
        const int fd = accept_on(*l);
        REQUIRE(fd >= 0);
        int on = 0;
        socklen_t size = sizeof on;
        getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, &size);
        CHECK(on == 1);
        close(fd);
    }
}

TEST_CASE("a port in use gives a message") {
    auto first = listener::open(at("127.0.0.1:0"));
    REQUIRE(first);
    const std::string text = first->where().url().substr(7);
    auto second = listener::open(at(text));
    REQUIRE_FALSE(second);
    CHECK(second.error() ==
          "cannot listen on http://" + text +
              ": Address already in use; another program listens there: stop it, or choose another port with --port");
}

TEST_CASE("an address of another machine gives a message") {
    auto l = listener::open(at("192.0.2.1:8080"));
    REQUIRE_FALSE(l);
    CHECK(l.error() == "cannot listen on http://192.0.2.1:8080: Cannot assign requested address");
}

TEST_CASE("a port is free again after its listener closes") {
    std::optional<std::string> text;
    {
        auto l = listener::open(at("127.0.0.1:0"));
        REQUIRE(l);
        text = l->where().url().substr(7);
        client c(l->where());
        CHECK(c.error == 0);
    }
    CHECK(listener::open(at(*text)).has_value());
}

TEST_CASE("each core has its own socket on a port, and shares that of a path") {
    folder f;
    for (const std::string& text : {std::string("127.0.0.1:0"), "unix:" + f.file("shared")}) {
        CAPTURE(text);
        auto first = listener::open(at(text));
        REQUIRE(first);
        auto second = first->again();
        REQUIRE(second);
        if (!first->where().is_unix()) CHECK(second->where().url() == first->where().url());
        CHECK(second->fd() != first->fd());
        int taken = 0;
        for (int i = 0; i < 8; ++i) {
            client c(first->where());
            REQUIRE(c.error == 0);
            pollfd both[] = {{first->fd(), POLLIN, 0}, {second->fd(), POLLIN, 0}};
            poll(both, 2, 1000);
            const int fd = accept4(both[0].revents ? first->fd() : second->fd(), nullptr, nullptr, SOCK_CLOEXEC);
            taken += fd >= 0;
            if (fd >= 0) close(fd);
        }
        CHECK(taken == 8);
    }
}

TEST_CASE("a path left by a killed server is replaced, one in use is refused") {
    folder f;
    const std::string path = f.file("app.sock");
    const int left = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(bind(left, at("unix:" + path).address(), at("unix:" + path).size()) == 0);
    close(left);
    CHECK(exists(path));
    {
        auto l = listener::open(at("unix:" + path));
        REQUIRE(l);
        CHECK(client(l->where()).error == 0);
        auto second = listener::open(at("unix:" + path));
        REQUIRE_FALSE(second);
        CHECK(second.error().starts_with("cannot listen on unix:" + path + ": Address already in use"));
        CHECK(exists(path));
        CHECK(client(l->where()).error == 0);
    }
    CHECK_FALSE(exists(path));
}

TEST_CASE("a file that is not a socket is never removed") {
    folder f;
    const std::string path = f.file("precious");
    std::ofstream(path) << "data";
    CHECK_FALSE(listener::open(at("unix:" + path)).has_value());
    CHECK(exists(path));
    unlink(path.c_str());
}

TEST_CASE("a missing folder gives a message") {
    auto l = listener::open(at("unix:/no/such/folder/app.sock"));
    REQUIRE_FALSE(l);
    CHECK(l.error() == "cannot listen on unix:/no/such/folder/app.sock: No such file or directory");
}

TEST_CASE("closing a listener lets connected clients be accepted") {
    auto l = listener::open(at("127.0.0.1:0"));
    REQUIRE(l);
    client before(l->where());
    REQUIRE(before.error == 0);
    l->refuse_new();
    const int late = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    connect(late, l->where().address(), l->where().size());
    const int fd = accept_on(*l);
    CHECK(fd >= 0);
    close(fd);
    pollfd p{l->fd(), POLLIN, 0};
    CHECK(poll(&p, 1, 50) == 0);
    close(late);
}

TEST_CASE("a moved-from listener holds nothing") {
    folder f;
    const std::string path = f.file("moved");
    auto first = listener::open(at("unix:" + path));
    REQUIRE(first);
    {
        listener second(std::move(*first));
        CHECK(first->fd() == -1);
        CHECK(client(second.where()).error == 0);
    }
    CHECK_FALSE(exists(path));
}

TEST_CASE("deferred connections are accepted with their first bytes, and silent ones later") {
    listener l = listener::open(at("127.0.0.1:0")).value();
    l.defer_accept();
    const client silent(l.where());
    CHECK_FALSE(has_connection(l));
    const client speaker(l.where());
    speaker.say('G');
    int accepted = accept_on(l);
    CHECK(accepted >= 0);
    char first = 0;
    CHECK(recv(accepted, &first, 1, MSG_DONTWAIT) == 1);
    CHECK(first == 'G');
    close(accepted);
    pollfd p{l.fd(), POLLIN, 0};
    REQUIRE(poll(&p, 1, 10'000) == 1);
    accepted = accept_on(l);
    CHECK(accepted >= 0);
    close(accepted);
}
