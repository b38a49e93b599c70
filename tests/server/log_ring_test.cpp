// SPDX-License-Identifier: Apache-2.0
#include "server/log_ring.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <thread>

#include <sys/uio.h>

using apus::server::log_ring;

namespace {

// Takes at most `most` unread bytes.
std::string taken(log_ring& ring, std::size_t most = ~std::size_t{0}) {
    iovec pieces[2];
    const int count = ring.waiting(pieces);
    std::string bytes;
    for (int i = 0; i < count; ++i) bytes.append(static_cast<char*>(pieces[i].iov_base), pieces[i].iov_len);
    bytes.resize(std::min(bytes.size(), most));
    ring.take(bytes.size());
    return bytes;
}

}  // namespace

TEST_CASE("a ring returns the pushed bytes, across its wrap-around") {
    log_ring ring(4096, "t");
    CHECK(ring.empty());
    CHECK(taken(ring) == "");
    const std::string line = std::string(999, 'x') + "\n";
    for (int i = 0; i < 50; ++i) {
        CHECK(ring.push(line));
        CHECK(ring.push("short\n"));
        CHECK_FALSE(ring.empty());
        CHECK(taken(ring) == line + "short\n");
    }
    CHECK(ring.empty());
}

TEST_CASE("a full ring drops whole lines and counts them once") {
    log_ring ring(4096, "t");
    const std::string line(1000, 'x');
    for (int i = 0; i < 4; ++i) CHECK(ring.push(line));
    CHECK(ring.more_than_half_full());
    CHECK_FALSE(ring.push(line));
    CHECK_FALSE(ring.push(line));
    CHECK(ring.dropped());
    CHECK(ring.drops() == 2);
    CHECK(ring.drops() == 0);
    CHECK(ring.push(std::string(96, 'y')));
    CHECK(taken(ring, 1000) == line);
    CHECK(ring.push(line));
    CHECK(taken(ring) == line + line + line + std::string(96, 'y') + line);
    CHECK_FALSE(ring.push(std::string(4097, 'x')));
}

TEST_CASE("bytes pass unchanged from one thread to another") {
    constexpr int lines = 50'000;
    log_ring ring(4096, "t");
    std::thread recorder([&ring] {
        for (int i = 0; i < lines;)
            if (ring.push(std::to_string(i) + "\n")) ++i;
            else std::this_thread::yield();
        ring.close();
    });
    std::string text;
    while (!ring.closed() || !ring.empty()) text += taken(ring);
    recorder.join();
    std::string expected;
    for (int i = 0; i < lines; ++i) expected += std::to_string(i) + "\n";
    CHECK((text == expected));
}
