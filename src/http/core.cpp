// SPDX-License-Identifier: Apache-2.0
#include "http/core.hpp"

#include "http/connection.hpp"
#include "http/h1/core.hpp"

#include <algorithm>
#include <ctime>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace apus::http {

std::uint64_t core::nanoseconds() noexcept {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

// What waited through a long turn came at a time that only the kernel knows, to a few milliseconds. It
// is asked only where the turn before began some time ago: most turns of a busy loop take far less.
std::uint64_t core::readable_since(int fd) const noexcept {
    constexpr std::uint64_t long_turn = 20'000'000;
    const auto& clock = loop.io().clock();
    if (clock.since_last() < long_turn) return clock.nanoseconds();
    tcp_info info{};
    socklen_t size = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return clock.nanoseconds();
    const std::uint64_t waited = std::min(std::uint64_t{info.tcpi_last_data_recv} * 1'000'000, clock.since_last());
    return clock.nanoseconds() - (waited < long_turn ? 0 : waited);
}

void core::drain() {
    draining = true;
    for (connection* c = first; c;) {
        connection* next = c->next();
        c->drain();
        c = next;
    }
}

std::unique_ptr<core> make_core(runtime::loop& on, service& answering, const limits& l) {
    return std::make_unique<h1::core>(on, answering, l);
}

}  // namespace apus::http
