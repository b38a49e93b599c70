// SPDX-License-Identifier: Apache-2.0
#include "runtime/blocking.hpp"
#include "runtime/loop.hpp"

#include <apus/health.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>

#include <poll.h>
#include <sys/statvfs.h>

namespace {

std::atomic<bool> hangs = false;

}  // namespace

// Replaces the function of the C library. A file system that does not answer cannot be created without root.
extern "C" int statvfs(const char* path, struct statvfs* found) noexcept {
    while (hangs) poll(nullptr, 0, 1);
    if (std::string_view(path) == "/missing") return errno = ENOENT, -1;
    *found = {};
    found->f_bavail = 10;
    found->f_frsize = 100;
    return 0;
}

using namespace apus;

namespace {

struct loop_with_threads {
    std::string reason;
    runtime::loop loop{runtime::make_backend("epoll", reason)};
    runtime::blocking_threads threads{{.threads = 4}};

    bool until(auto is_true) {
        const auto due = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!is_true() && std::chrono::steady_clock::now() < due) loop.turn(1);
        return is_true();
    }
};

// A run of a check; cancelled with its owner.
class run {
public:
    explicit run(const disk_space& of) : task_(write(*this, of)), handle_(task_.release()) { handle_.resume(); }
    run(const run&) = delete;
    run& operator=(const run&) = delete;
    ~run() { handle_.destroy(); }

    std::string outcome;  // empty: not ended

private:
    static task<> write(run& to, const disk_space& check) {
        const auto got = co_await check().outcome();
        to.outcome = got ? "passed" : got.error().detail();
    }
    task<> task_;
    task<>::handle handle_;
};

}  // namespace

TEST_CASE("disk_space compares the available bytes") {
    loop_with_threads on;
    const struct {
        disk_space check;
        std::string outcome;
    } cases[] = {{disk_space("/a", 1000), "passed"},
                 {disk_space("/a", 1001), "/a: 1000 bytes available, expected at least 1001"},
                 {disk_space("/missing", 1), "/missing: No such file or directory"}};
    for (const auto& c : cases) {
        const run one(c.check);
        CHECK(on.until([&] { return !one.outcome.empty(); }));
        CHECK(one.outcome == c.outcome);
    }
}

TEST_CASE("a file system that does not answer occupies one thread of a check") {
    loop_with_threads on;
    const disk_space check("/a", 1), copy = check;
    hangs = true;
    { const run cancelled(check); }
    {
        const run cancelled(check);
        CHECK(on.until([&] { return on.threads.running() == 1; }));
    }
    for (int i = 0; i < 10; ++i) {
        const run refused(i % 2 ? check : copy);
        CHECK(refused.outcome == "/a: the file system has not answered an earlier check");
    }
    CHECK(on.threads.running() == 1);
    CHECK(on.threads.now().waiting == 0);
    hangs = false;
    CHECK(on.until([&] { return on.threads.running() == 0; }));
    const run again(check);
    CHECK(on.until([&] { return !again.outcome.empty(); }));
    CHECK(again.outcome == "passed");
}
