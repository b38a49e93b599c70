// SPDX-License-Identifier: Apache-2.0
#include "net/listener.hpp"
#include "runtime/backend_peers.hpp"

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace apus;
using namespace apus::test;
using runtime::backend;

namespace {

struct counting_acceptor final : runtime::acceptor {
    using acceptor::acceptor;
    ~counting_acceptor() {
        for (int fd : sockets) close(fd);
    }
    void accepted(int fd) override {
        sockets.push_back(fd);
        if (on_accepted) on_accepted();
    }
    void failed(int error) override { errors.push_back(error); }

    std::vector<int> sockets;
    std::vector<int> errors;
    std::function<void()> on_accepted;
};

net::listener open_port() { return net::listener::open(*net::endpoint::parse("127.0.0.1:0")).value(); }

class connected {
public:
    explicit connected(const net::endpoint& to) : fd_(socket(to.address()->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        REQUIRE(connect(fd_, to.address(), to.size()) == 0);
    }
    connected(connected&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    ~connected() {
        if (fd_ >= 0) close(fd_);
    }
    int fd() const noexcept { return fd_; }

private:
    int fd_;
};

// No further descriptor can be opened while this object exists.
class no_descriptors {
public:
    no_descriptors() {
        getrlimit(RLIMIT_NOFILE, &before_);
        const int next = dup(0);
        close(next);
        rlimit none = before_;
        none.rlim_cur = static_cast<rlim_t>(next);
        setrlimit(RLIMIT_NOFILE, &none);
    }
    ~no_descriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_;
};

// Runs some turns: a loop releases an acceptor only when its cancellation is complete.
void settle(backend& io) {
    for (int i = 0; i < 5; ++i) io.turn(0);
}

}  // namespace

TEST_CASE("connections are ready to use until accepting stops") {
    on_each_backend([](backend& io) {
        auto listener = open_port();
        counting_acceptor a(listener.fd());
        io.accept(a);
        std::vector<connected> clients;
        for (int i = 0; i < 100; ++i) clients.emplace_back(listener.where());
        CHECK(turn_until(io, [&] { return a.sockets.size() == 100; }));
        for (int fd : a.sockets) {
            CHECK((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
            CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
        }
        io.stop_accepting(a);
        settle(io);
        connected late(listener.where());
        settle(io);
        CHECK(a.sockets.size() == 100);
        io.accept(a);
        CHECK(turn_until(io, [&] { return a.sockets.size() == 101; }));
        CHECK(a.errors.empty());
        io.stop_accepting(a);
        settle(io);
    });
}

TEST_CASE("accepting may be stopped by an accepted connection") {
    on_each_backend([](backend& io) {
        auto listener = open_port();
        counting_acceptor a(listener.fd());
        a.on_accepted = [&] { io.stop_accepting(a); };
        std::vector<connected> clients;
        clients.emplace_back(listener.where());
        io.accept(a);
        CHECK(turn_until(io, [&] { return a.sockets.size() == 1; }));
        settle(io);
        clients.emplace_back(listener.where());
        settle(io);
        CHECK(a.sockets.size() == 1);
    });
}

TEST_CASE("two sockets of one loop accept, each its own") {
    on_each_backend([](backend& io) {
        auto one = open_port(), two = open_port();
        counting_acceptor a(one.fd()), b(two.fd());
        io.accept(a), io.accept(b);
        connected to_one(one.where()), to_two(two.where()), also_to_two(two.where());
        CHECK(turn_until(io, [&] { return a.sockets.size() == 1 && b.sockets.size() == 2; }));
        io.stop_accepting(a), io.stop_accepting(b);
        settle(io);
    });
}

TEST_CASE("running out of descriptors fails once, and accepting can resume") {
#ifdef APUS_SANITIZED
    return support::skip("UBSan looks at memory through a pipe, for which there is no descriptor then");
#endif
    on_each_backend([](backend& io) {
        auto listener = open_port();
        counting_acceptor a(listener.fd());
        connected client(listener.where());
        {
            no_descriptors left;
            io.accept(a);
            CHECK(turn_until(io, [&] { return !a.errors.empty(); }));
            settle(io);
            CHECK(a.errors == std::vector<int>{EMFILE});
            CHECK(a.sockets.empty());
        }
        settle(io);
        CHECK(a.sockets.empty());  // nothing is accepted until accepting is resumed
        io.accept(a);
        CHECK(turn_until(io, [&] { return a.sockets.size() == 1; }));
        connected another(listener.where());
        CHECK(turn_until(io, [&] { return a.sockets.size() == 2; }));
        CHECK(a.errors.size() == 1);
        io.stop_accepting(a);
        settle(io);
    });
}

TEST_CASE("an accepted TCP connection receives and sends") {
    on_each_backend([](backend& io) {
        auto listener = open_port();
        counting_acceptor a(listener.fd());
        io.accept(a);
        connected client(listener.where());
        CHECK(turn_until(io, [&] { return a.sockets.size() == 1; }));
        const int theirs = fcntl(client.fd(), F_DUPFD_CLOEXEC, 0);
        fcntl(theirs, F_SETFL, O_NONBLOCK);
        {
            noting_stream s(io, {std::exchange(a.sockets[0], -1), theirs});
            io.receive(s);
            s.give("ping");
            CHECK(turn_until(io, [&] { return s.got == "ping"; }));
            send_batch(io, s, numbered_bytes(5'000'000));
            std::string all;
            CHECK(turn_until(io, [&] { return (all += s.take(100'000)).size() == 5'000'000; }));
            CHECK((all == numbered_bytes(5'000'000)));
            shutdown(s.peer(), SHUT_WR);
            CHECK(turn_until(io, [&] { return s.ends == 1; }));
            CHECK(s.end == 0);
        }
        io.stop_accepting(a);
        settle(io);
    });
}

TEST_CASE("a TCP reset ends the stream with its error") {
    on_each_backend([](backend& io) {
        auto listener = open_port();
        counting_acceptor a(listener.fd());
        io.accept(a);
        auto client = std::make_unique<connected>(listener.where());
        CHECK(turn_until(io, [&] { return a.sockets.size() == 1; }));
        {
            noting_stream s(io, {std::exchange(a.sockets[0], -1), -1});
            io.receive(s);
            io.turn(0);
            linger hard{1, 0};
            setsockopt(client->fd(), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
            client.reset();
            CHECK(turn_until(io, [&] { return s.ends == 1; }));
            CHECK(s.end == ECONNRESET);
        }
        io.stop_accepting(a);
        settle(io);
    });
}
