// SPDX-License-Identifier: Apache-2.0
// A server in which allocations fail when a client requests it. `/lack/AFTER/once`: AFTER allocations of the process
// succeed, and the next one fails. `/lack/AFTER/ever`: all allocations after AFTER fail, until `/enough`. `/ceiling`
// limits the address space of the process to its current size.
#include <apus/app.hpp>
#include <apus/hub.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/tls.hpp>
#include <apus/websocket.hpp>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif

namespace {

constexpr long enough = -1;

constinit std::atomic<long> left = enough;  // number of allocations that still succeed
constinit std::atomic<bool> once = false;

#ifndef SANITIZED

bool refused() noexcept {
    if (left.load(std::memory_order_relaxed) == enough) return false;
    long now = left.load();
    while (now > 0)
        if (left.compare_exchange_weak(now, now - 1)) return false;
    if (now == 0 && once.load()) left.compare_exchange_strong(now, enough);
    if (now == 0) errno = ENOMEM;
    return now == 0;
}

#endif

std::string lack(std::uint32_t after, std::string how) {
    once = how == "once";
    left = static_cast<long>(after);
    return "lacking\n";
}

std::string put_ceiling() {
    std::ifstream file("/proc/self/statm");
    rlim_t pages = 0;
    file >> pages;
    const rlim_t size = pages * static_cast<rlim_t>(getpagesize());
    const rlimit now{.rlim_cur = size, .rlim_max = RLIM_INFINITY};
    return setrlimit(RLIMIT_AS, &now) == 0 ? "set\n" : "failed\n";
}

apus::task<> send_parts(apus::writer& out) {
    const std::string part(40'000, 'p');
    for (int i = 0; i < 4; ++i) {
        co_await out.write(part);
        co_await apus::sleep_for(apus::milliseconds(1));
    }
}

apus::task<std::string> wait() {
    co_await apus::sleep_for(apus::milliseconds(1));
    co_return "waited\n";
}

}  // namespace

#ifndef SANITIZED

// The names of glibc's functions, which the functions below replace.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wreserved-identifier"
#endif

// All allocations of the process use these functions: of the library, of OpenSSL and of the C++ runtime.
extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);

void* malloc(std::size_t size) noexcept { return refused() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t n, std::size_t size) noexcept { return refused() ? nullptr : __libc_calloc(n, size); }
void* realloc(void* p, std::size_t size) noexcept { return refused() ? nullptr : __libc_realloc(p, size); }
}

#endif

int main(int argc, char** argv) {
    apus::serve_options options;
    options.limits.head = options.limits.idle = options.limits.handler = apus::milliseconds(1500);
    if (std::getenv("TEST_TLS")) options.tls = apus::server_tls(apus::server_tls_options());
    auto make = [] {
        apus::app app;
        app.get("/", [] { return "ok\n"; });
        app.get("/lack/{after}/{how}", lack);
        app.get("/enough", [] {
            left = enough;
            return "enough\n";
        });
        app.get("/ceiling", put_ceiling);
        app.post("/echo", [](apus::body_text body) { return std::string(body.bytes); });
        app.get("/parts", [] { return apus::stream("text/plain", send_parts); });
        app.get("/wait", wait);
        app.websocket("/room", [rooms = std::make_shared<apus::hub>()](apus::websocket peer) -> apus::task<> {
            const auto seat = rooms->join("room", peer);
            while (auto message = co_await peer.receive()) rooms->send("room", *message);
        });
        return app;
    };
    return apus::serve(make, argc, argv, options);
}
