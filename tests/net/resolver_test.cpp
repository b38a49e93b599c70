// SPDX-License-Identifier: Apache-2.0
#include "net/resolver.hpp"

#include "runtime/blocking.hpp"
#include "runtime/running_task.hpp"

#include <doctest/doctest.h>

using namespace apus;

namespace {

struct answer {
    const char* host;
    const char* url;
};

// A name that the system rejects without a DNS query: DNS labels have at most 63 bytes.
constexpr char too_long[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

std::string first_of(const char* host) {
    test::running_task work(net::resolve(host, 81));
    auto& found = work.wait();
    return found ? found->at(0).url() : std::to_string(found.error().status()) + " " + found.error().detail();
}

}  // namespace

TEST_CASE("addresses resolve at once, and unknown names give 502") {
    std::string why;
    runtime::loop loop(runtime::make_backend("", why));
    runtime::blocking_threads threads;
    const answer table[] = {
        {"127.0.0.1", "http://127.0.0.1:81"},  {"::1", "http://[::1]:81"}, {"localhost", "http://127.0.0.1:81"},
        {"127.1", "http://127.0.0.1:81"},  // resolved as the system does, so that address checks see the actual address
        {"2130706433", "http://127.0.0.1:81"},
    };
    for (const auto& row : table) CHECK(first_of(row.host) == row.url);
    for (const char* name : {"a..b", too_long})
        CHECK(first_of(name).starts_with("502 cannot resolve the upstream's name: "));
}

TEST_CASE("a lookup may be cancelled") {
    std::string why;
    runtime::loop loop(runtime::make_backend("", why));
    runtime::blocking_threads threads;
    {
        test::running_task work(net::resolve(too_long, 1));
        CHECK_FALSE(work.ended());
    }
    // The next query runs on another thread, and gets its own result instead of the result of the cancelled query.
    CHECK(first_of("localhost") == "http://127.0.0.1:81");
}
