// SPDX-License-Identifier: Apache-2.0
#include "server/core_thread.hpp"

#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/task_scope.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace apus;
using state = server::core_thread::state;

namespace {

// Cores that serve one port, controlled as by a supervisor.
class cores {
public:
    cores(unsigned n, std::function<app()> make, serve_options o = {})
        : options_(std::move(o)), make_(std::move(make)), shared_(options_, n) {
        shared_.state_eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        auto first = net::listener::open(*net::endpoint::parse("127.0.0.1:0")).value();
        where_ = first.where();
        std::vector<net::listener> sockets;
        sockets.push_back(std::move(first));
        while (sockets.size() < n) sockets.push_back(sockets[0].again().value());
        for (unsigned i = 0; i < n; ++i) {
            std::vector<net::listener> own;
            own.push_back(std::move(sockets[i]));
            shared_.cores.push_back(
                std::make_unique<server::core_thread>(shared_, i, detail::make_with(make_), std::move(own)));
        }
        for (auto& c : shared_.cores) c->start();
        wait([](auto s) { return s != state::starting; });
        for (auto& c : shared_.cores) {
            if (c->now() != state::ready) continue;
            c->begin_background();
            c->begin();
        }
    }
    ~cores() {
        for (auto& c : shared_.cores) {
            if (c->now() != state::ready) continue;
            c->abort();
        }
        wait([](auto s) { return s != state::ready; });
        shared_.cores.clear();
        close(shared_.state_eventfd);
    }

    // Waits until `is` accepts the states of all cores, for at most ten seconds.
    bool wait(const std::function<bool(state)>& is) {
        const auto due = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (std::chrono::steady_clock::now() < due) {
            bool all = true;
            for (auto& c : shared_.cores) all = all && is(c->now());
            if (all) return true;
            pollfd news{shared_.state_eventfd, POLLIN, 0};
            poll(&news, 1, 100);
            std::uint64_t count;
            [[maybe_unused]] auto n = read(shared_.state_eventfd, &count, sizeof count);
        }
        return false;
    }
    void drain() {
        for (auto& c : shared_.cores) c->drain();
        const auto due = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (shared_.draining < shared_.cores.size() && std::chrono::steady_clock::now() < due) {
            pollfd news{shared_.state_eventfd, POLLIN, 0};
            poll(&news, 1, 10);
        }
        for (auto& c : shared_.cores) c->end_when_empty();
    }
    server::shared_state& shared_state() { return shared_; }
    const net::endpoint& where() const { return where_; }

private:
    serve_options options_;
    std::function<app()> make_;
    server::shared_state shared_;
    net::endpoint where_;
};

class caller {
public:
    explicit caller(const net::endpoint& to) : fd_(socket(to.address()->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        REQUIRE(connect(fd_, to.address(), to.size()) == 0);
        timeval patience{10, 0};
        setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }
    caller(caller&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    ~caller() {
        if (fd_ >= 0) close(fd_);
    }
    void send(std::string_view path) {
        const std::string text = "GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n";
        CHECK(::send(fd_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size()));
    }
    // Returns all bytes up to `end`, or up to the end of the connection.
    std::string receive(std::string_view end) {
        std::string all;
        char bytes[4096];
        while (!all.ends_with(end)) {
            const ssize_t n = ::recv(fd_, bytes, sizeof bytes, 0);
            // A completion of an earlier io_uring of this thread has interrupted the wait.
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) break;
            all.append(bytes, static_cast<std::size_t>(n));
        }
        return all;
    }
    bool is_turned_away() {
        char byte;
        return ::recv(fd_, &byte, 1, 0) <= 0;
    }

private:
    int fd_;
};

app make_app() {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.get("/late", []() -> task<std::string> {
        co_await apus::sleep_for(milliseconds(60));
        co_return "late\n";
    });
    a.get("/stuck", []() -> task<> { co_await apus::sleep_for(seconds(3600)); });
    return a;
}

}  // namespace

TEST_CASE("cores serve, and share connections evenly") {
    cores two(2, make_app);
    std::vector<caller> callers;
    for (int i = 0; i < 40; ++i) {
        callers.emplace_back(two.where());
        callers.back().send("/");
        CHECK(callers.back().receive("hello\n").starts_with("HTTP/1.1 200 OK\r\n"));
    }
    CHECK(two.shared_state().connections.total() == 40);
    for (auto& c : callers) c.send("/");
    for (auto& c : callers) CHECK(c.receive("hello\n").contains("200 OK"));
    two.drain();
    CHECK(two.wait([](auto s) { return s == state::ended; }));
    CHECK(two.shared_state().connections.total() == 0);
}

TEST_CASE("draining completes requests, then ends the core") {
    cores one(1, make_app);
    caller busy(one.where()), idle(one.where());
    busy.send("/late");
    idle.send("/");
    idle.receive("hello\n");
    one.drain();
    const auto answer = busy.receive("late\n");
    CHECK(answer.contains("Connection: close\r\n"));
    CHECK(answer.ends_with("late\n"));
    CHECK(idle.receive("never") == "");
    CHECK(one.wait([](auto s) { return s == state::ended; }));
}

TEST_CASE("aborting ends requests that would never end") {
    cores one(1, make_app);
    caller stuck(one.where());
    stuck.send("/stuck");
    one.drain();
    one.shared_state().cores[0]->abort();
    CHECK(stuck.receive("never") == "");
    CHECK(one.wait([](auto s) { return s == state::ended; }));
}

TEST_CASE("background work runs on one core or on each, until the server drains") {
    std::atomic<int> on_one = 0, on_each = 0, ended = 0, sent = 0;
    const auto make = [&] {
        app a = make_app();
        struct counted {
            std::atomic<int>& when_destroyed;
            ~counted() { ++when_destroyed; }
        };
        a.background([&]() -> task<> {
            const counted here{ended};
            ++on_one;
            co_await apus::sleep_for(seconds(3600));
        });
        a.every(milliseconds(5), [&]() -> task<> { co_return void(++on_each); }, runs_on::every_core);
        a.get("/mail", [&sent, &tasks = a.tasks()] {
            auto mail = [](std::atomic<int>& to) -> task<> {
                co_await apus::sleep_for(milliseconds(60));
                ++to;
            };
            tasks.spawn(mail(sent));
            return "accepted\n";
        });
        return a;
    };
    cores two(2, make);
    for (int tries = 0; (on_each < 4 || on_one < 1) && tries < 10'000; ++tries) poll(nullptr, 0, 1);
    caller client(two.where());
    client.send("/mail");
    client.receive("accepted\n");
    two.drain();
    CHECK(two.wait([](auto s) { return s == state::ended; }));
    CHECK(on_one == 1);
    CHECK(on_each >= 4);
    CHECK(ended == 1);
    CHECK(sent == 1);  // the core has waited for the task that the request started
}

TEST_CASE("aborting cancels background tasks of requests") {
    cores one(1, [] {
        app a;
        a.get("/", [&tasks = a.tasks()] {
            auto endless = []() -> task<> { co_await apus::sleep_for(seconds(3600)); };
            tasks.spawn(endless());
            return "accepted\n";
        });
        return a;
    });
    {
        caller client(one.where());
        client.send("/");
        client.receive("accepted\n");
    }
    one.drain();
    CHECK(one.shared_state().cores[0]->now() == state::ready);
    one.shared_state().cores[0]->abort();
    CHECK(one.wait([](auto s) { return s == state::ended; }));
}

TEST_CASE("connections over the limit are closed at once, until others end") {
    serve_options o;
    o.limits.connections = 2;
    cores one(1, make_app, o);
    caller first(one.where());
    first.send("/"), first.receive("hello\n");
    {
        caller second(one.where());
        second.send("/"), second.receive("hello\n");
        CHECK(caller(one.where()).is_turned_away());
    }
    for (int tries = 0; one.shared_state().connections.total() > 1 && tries < 1000; ++tries) poll(nullptr, 0, 1);
    caller third(one.where());
    third.send("/");
    CHECK(third.receive("hello\n").contains("200 OK"));
}

TEST_CASE("connections over the limit per address are closed at once") {
    serve_options o;
    o.limits.connections_per_address = 1;
    cores one(1, make_app, o);
    caller first(one.where());
    first.send("/"), first.receive("hello\n");
    CHECK(caller(one.where()).is_turned_away());
    first.send("/");
    CHECK(first.receive("hello\n").contains("200 OK"));
}

TEST_CASE("failing to make the app is reported with its reason") {
    cores one(1, []() -> app { throw std::runtime_error("no database"); });
    CHECK(one.shared_state().cores[0]->now() == state::failed);
    CHECK(one.shared_state().cores[0]->failure() == "no database");
}

TEST_CASE("a health check that a core does not run to its end has an outcome") {
    std::atomic<int> begun = 0;
    std::string reason;
    runtime::loop to(runtime::make_backend("epoll", reason));
    std::vector<std::string> ended;
    {
        cores c(1, [&begun] {
            app a = make_app();
            a.check("stuck", [&begun]() -> task<> {
                ++begun;
                co_await apus::sleep_for(seconds(3600));
            });
            return a;
        });
        auto run = std::make_unique<server::core_thread::check_run>();
        run->to = &to;
        run->number = 0;
        run->with = &ended;
        run->ended = [](server::core_thread::check_run& of) noexcept {
            const std::unique_ptr<server::core_thread::check_run> mine(&of);
            auto& all = *static_cast<std::vector<std::string>*>(of.with);
            all.push_back(of.outcome ? "passed" : of.outcome.error().detail());
        };
        c.shared_state().cores[0]->start_check(std::move(run));
        const auto due = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (begun == 0 && std::chrono::steady_clock::now() < due) poll(nullptr, 0, 1);
    }
    CHECK(begun == 1);
    to.turn(0);
    CHECK(ended == std::vector<std::string>{"the core has not run the check"});
}
