// SPDX-License-Identifier: Apache-2.0
#include "http/core.hpp"

#include "http/connection.hpp"
#include "http/h1/core.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace apus::http {

core::core(runtime::loop& on, service& answering, const limits& l) noexcept : loop(on), app(answering), bounds(l) {
    retire_.of = this;
    retire_.run = [](runtime::deferred& d) noexcept { static_cast<retire_call&>(d).of->retired_.clear(); };
}

core::~core() { loop.forget(retire_); }

connection& core::open(int fd, runtime::protocols spoken) {
    auto opened = std::make_unique<connection>(fd);
    open(*opened, spoken);
    return *opened.release();
}

void core::retire(std::unique_ptr<protocol> replaced) {
    retired_.push_back(std::move(replaced));
    loop.later(retire_);
}

std::uint64_t core::nanoseconds() noexcept {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

// Only the kernel knows when input arrived during a long turn, in milliseconds. It is queried only after a long turn;
// most turns are far shorter.
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
