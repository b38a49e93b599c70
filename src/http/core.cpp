// SPDX-License-Identifier: Apache-2.0
#include "http/core.hpp"

#include "http/connection.hpp"
#include "http/h1/core.hpp"

#include <ctime>

namespace apus::http {

std::uint64_t core::nanoseconds() noexcept {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
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
