// SPDX-License-Identifier: Apache-2.0
#include "server/standard_output.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include <fcntl.h>
#include <unistd.h>

using namespace apus::server;

namespace {

// Replaces standard output by a pipe.
class piped_output {
public:
    piped_output() : before_(dup(1)) {
        std::fflush(stdout);
        int ends[2];
        REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
        dup2(ends[1], 1);
        close(ends[1]);
        from_ = ends[0];
        fcntl(from_, F_SETFL, O_NONBLOCK);
    }
    piped_output(const piped_output&) = delete;
    piped_output& operator=(const piped_output&) = delete;
    ~piped_output() {
        std::fflush(stdout);
        dup2(before_, 1);
        close(before_);
        close(from_);
    }
    // Leaves room for less than one page.
    void fill() const {
        const std::string page(4096, 'x');
        fcntl(1, F_SETFL, O_WRONLY | O_NONBLOCK);
        while (write(1, page.data(), page.size()) > 0) {}
        fcntl(1, F_SETFL, O_WRONLY);
    }
    std::string text() const {
        std::string all(1 << 20, '\0');
        const ssize_t n = read(from_, all.data(), all.size());
        return all.substr(0, n > 0 ? static_cast<std::size_t>(n) : 0);
    }

private:
    int before_;
    int from_ = -1;
};

}  // namespace

TEST_CASE("a text follows what the program has printed") {
    const piped_output out;
    std::printf("begins\n");
    CHECK(print_without_waiting("listening\n"));
    CHECK(out.text() == "begins\nlistening\n");
    CHECK(print_without_waiting(std::string(10'000, 'y')));
    CHECK(out.text() == std::string(10'000, 'y'));
}

TEST_CASE("a full pipe is reported, and does not block") {
    const piped_output out;
    out.fill();
    CHECK(!print_without_waiting("listening\n"));
    CHECK(!out.text().contains("listening"));
    CHECK(print_without_waiting("again\n"));
    CHECK(out.text() == "again\n");
}
