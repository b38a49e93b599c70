// SPDX-License-Identifier: Apache-2.0
#include "runtime/uring/uring_backend.hpp"

#include "support/skipped.hpp"

#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace apus;

namespace {

// Forbids io_uring as container runtimes do: the system call exists, but is not permitted.
bool forbid_uring() {
    sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog program{sizeof rules / sizeof *rules, rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Returns the result of `work` in a child process where io_uring is forbidden.
std::string without_uring(std::string (*work)()) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        const std::string said = forbid_uring() ? work() : "seccomp is not allowed here";
        [[maybe_unused]] auto n = write(ends[1], said.data(), said.size());
        _exit(0);
    }
    close(ends[1]);
    std::string all;
    char bytes[512];
    for (ssize_t n; (n = read(ends[0], bytes, sizeof bytes)) > 0;) all.append(bytes, static_cast<std::size_t>(n));
    close(ends[0]);
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    return all;
}

// Returns the descriptor of the only ring of this process; -1: none.
int ring_of_process() {
    for (int fd = 0; fd < 100; ++fd) {
        char target[100] = {};
        const std::string link = "/proc/self/fd/" + std::to_string(fd);
        if (readlink(link.c_str(), target, sizeof target - 1) > 0 &&
            std::string_view(target) == "anon_inode:[io_uring]")
            return fd;
    }
    return -1;
}

}  // namespace

TEST_CASE("a confined ring accepts only the registrations and requests of the backend") {
    for (const bool confined : {false, true}) {
        std::string why;
        const auto io = runtime::make_uring_backend(why, confined);
        if (!io) return support::skip_uring(why);
        alignas(io_uring_probe) char room[sizeof(io_uring_probe) + sizeof(io_uring_probe_op)] = {};
        const int ring = ring_of_process();
        REQUIRE(ring >= 0);
        const long done = syscall(SYS_io_uring_register, ring, IORING_REGISTER_PROBE, room, 1);
        CHECK((done == 0 ? 0 : errno) == (confined ? EACCES : 0));
    }
}

TEST_CASE("without io_uring, epoll is used and the reason is reported") {
    const auto said = without_uring([] {
        std::string why;
        auto io = runtime::make_backend("", why);
        return std::string(io->name()) + ": " + why;
    });
    CHECK(said == "epoll: io_uring cannot be set up: Operation not permitted");
}

TEST_CASE("requiring io_uring fails with the reason where it is forbidden") {
    const auto said = without_uring([] {
        std::string why;
        auto io = runtime::make_backend("uring", why);
        return (io ? "made: " : "none: ") + why;
    });
    CHECK(said == "none: io_uring cannot be set up: Operation not permitted");
}

TEST_CASE("APUS_IO=uring fails with a message where io_uring is forbidden") {
    const auto said = without_uring([]() -> std::string {
        setenv("APUS_IO", "uring", 1);
        app a;
        a.get("/", [] { return "hello\n"; });
        try {
            test::client client(std::move(a));
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return "no failure";
    });
    CHECK(said == "APUS_IO=uring, but io_uring cannot be set up: Operation not permitted");
}

TEST_CASE("an app works the same without io_uring") {
    const auto said = without_uring([]() -> std::string {
        unsetenv("APUS_IO");
        app a;
        a.get("/", [] { return "hello\n"; });
        return test::client(std::move(a)).get("/").body;
    });
    CHECK(said == "hello\n");
}

TEST_CASE("epoll is used on request, without a reason") {
    std::string why;
    CHECK(runtime::make_backend("epoll", why)->name() == std::string_view("epoll"));
    CHECK(why.empty());
}

TEST_CASE("io_uring is used where it is complete") {
    runtime::uring_backend io;
    std::string reason, why;
    if (io.open(reason)) {
        CHECK(runtime::make_backend("", why)->name() == std::string_view("uring"));
        CHECK(why.empty());
    } else {
        CHECK(runtime::make_backend("", why)->name() == std::string_view("epoll"));
        CHECK(why == reason);
    }
}
