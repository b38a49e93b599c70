// SPDX-License-Identifier: Apache-2.0
#include "server/log_output.hpp"

#include <doctest/doctest.h>

#include <string>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

using apus::server::log_output;

namespace {

long write_text(const log_output& out, std::string text) {
    const iovec piece{text.data(), text.size()};
    return out.write(&piece, 1);
}

}  // namespace

TEST_CASE("writing to a blocking pipe never waits, and a full pipe is not ready") {
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    const int event_fd = eventfd(1, EFD_CLOEXEC);  // always readable, so that `ready` does not wait
    const log_output out(ends[1]);
    long written = 0;
    while (out.ready(event_fd)) written += write_text(out, std::string(10'000, 'x'));
    CHECK(written == fcntl(ends[1], F_GETPIPE_SZ));
    CHECK((fcntl(ends[1], F_GETFL) & O_NONBLOCK) == 0);

    char bytes[8192];
    CHECK(read(ends[0], bytes, sizeof bytes) == 8192);
    CHECK(out.ready(event_fd));
    for (int fd : {ends[0], ends[1], event_fd}) close(fd);
}

TEST_CASE("a file accepts a batch at once and in order") {
    const int fd = memfd_create("log", MFD_CLOEXEC);
    std::string a = "one\n";
    std::string b(20'000, 'x');
    const iovec pieces[] = {{a.data(), a.size()}, {b.data(), b.size()}};
    CHECK(log_output(fd).write(pieces, 2) == 20'004);
    char begin[5];
    CHECK(pread(fd, begin, 5, 0) == 5);
    CHECK(std::string(begin, 5) == "one\nx");
    close(fd);
}

TEST_CASE("a closed output is reported as ready") {
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    close(ends[0]);
    const int event_fd = eventfd(0, EFD_CLOEXEC);
    CHECK(log_output(ends[1]).ready(event_fd));
    CHECK(log_output(-1).ready(event_fd));
    CHECK(write_text(log_output(-1), "x") == -1);
    for (int fd : {ends[1], event_fd}) close(fd);
}
