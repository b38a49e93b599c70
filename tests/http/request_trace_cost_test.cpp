// SPDX-License-Identifier: Apache-2.0
#include "http/h1/wire.hpp"
#include "runtime/backend.hpp"
#include "support/counted_memory.hpp"
#include "support/decoded_spans.hpp"
#include "support/skipped.hpp"

#include <apus/app.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<unsigned> lookups = 0;  // calls of getpeername(2)

}  // namespace

// Replaces the function of the C library, to count its calls.
extern "C" int getpeername(int fd, sockaddr* to, socklen_t* size) noexcept {
    ++lookups;
    return static_cast<int>(syscall(SYS_getpeername, fd, to, size));
}

namespace {

using namespace apus::test;
using apus::tracing::recorder;

constexpr unsigned requests = 100;

apus::app small_app() {
    apus::app app;
    app.get("/todos/{id}", [](int) { return "done"; });
    return app;
}

// Sends a request, and returns the allocations up to its response.
std::uint64_t ask(wire& w) {
    w.send("GET /todos/7 HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n\r\n");
    std::uint64_t count = 0;
    for (std::string got; !got.contains("\r\n\r\ndone") && !w.ended; got += w.take()) {
        const auto before = apus::support::allocations();
        w.turn(1);
        count += apus::support::allocations() - before;
    }
    return count;
}

using make_io = std::function<std::unique_ptr<apus::runtime::backend>()>;

void with_each_backend(const std::function<void(const make_io&)>& check) {
    for (const char* name : {"epoll", "uring"}) {
        CAPTURE(name);
        std::string why;
        const make_io make = [&] { return apus::runtime::make_backend(name, why); };
        if (make()) check(make);
        else apus::support::skip_uring(why);
    }
}

// Returns the allocations of `requests` requests, after the first ones have left reusable memory.
std::uint64_t allocations_of(recorder* by, const make_io& io) {
    wire w(small_app(), {}, over::tcp, io());
    w.core().traces = by;
    for (unsigned i = 0; i < requests; ++i) (void)ask(w);
    std::uint64_t count = 0;
    for (unsigned i = 0; i < requests; ++i) count += ask(w);
    return count;
}

}  // namespace

TEST_CASE("tracing: an unsampled request allocates nothing, a sampled one twice") {
    if (!apus::support::allocations_are_counted) return apus::support::skip(apus::support::not_counted);
    with_each_backend([](const make_io& io) {
        recorder none({.sample = 0}), all({});
        CHECK(allocations_of(nullptr, io) == 0);
        CHECK(allocations_of(&none, io) == 0);
        // The attributes, and the whole span; the queue adds a few.
        CHECK(allocations_of(&all, io) < 2.2 * requests);
        CHECK(all.waiting() == 2 * requests);
    });
}

TEST_CASE("tracing: the address of a client is looked up once per connection, for sampled requests only") {
    with_each_backend([](const make_io& io) {
        for (const double sample : {0.0, 1.0}) {
            CAPTURE(sample);
            recorder by({.sample = sample});
            wire w(small_app(), {}, over::tcp, io());
            w.core().traces = &by;
            for (unsigned connection = 1; connection <= 2; ++connection) {
                const unsigned before = lookups;
                for (int i = 0; i < 5; ++i) (void)ask(w);
                CHECK(lookups - before == (sample == 0 ? 0 : 1));
                w.connect();
            }
            for (const auto& span : ended_spans(by)) CHECK(span.attributes.at("client.address") == "127.0.0.1");
        }
    });
}
