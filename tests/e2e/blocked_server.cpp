// SPDX-License-Identifier: Apache-2.0
// Handlers that block their core, or end the server's process. TEST_HANDLER_MS sets `limits::handler`.
#include <apus/app.hpp>
#include <apus/blocking.hpp>
#include <apus/heap_profile.hpp>
#include <apus/log.hpp>
#include <apus/request_id.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

APUS_PROFILE_HEAP();

namespace {

using std::chrono::milliseconds;

std::string block(std::uint32_t ms) {
    std::this_thread::sleep_for(milliseconds(ms));
    return "blocked\n";
}

// Uses CPU time. Profiles show this function by its name.
[[gnu::noinline]] void burn_cpu_time(std::uint32_t ms) {
    const auto until = std::chrono::steady_clock::now() + milliseconds(ms);
    while (std::chrono::steady_clock::now() < until)
        for (volatile unsigned i = 0; i < 20'000; i = i + 1) {}
}

std::string burn(std::uint32_t ms) {
    burn_cpu_time(ms);
    return "burnt\n";
}

apus::task<std::string> burn_elsewhere(std::uint32_t ms) { co_return co_await apus::blocking(burn, ms); }

// Allocates a number of blocks of 64 KiB. Profiles show this function by its name.
[[gnu::noinline]] std::vector<std::string> allocate_blocks(std::uint32_t count) {
    std::vector<std::string> blocks;
    for (std::uint32_t i = 0; i < count; ++i) blocks.emplace_back(64 * 1024, 'x');
    return blocks;
}

std::string endless() {
    for (volatile unsigned turns = 0;; turns = turns + 1) {}
}

struct witness {
    std::shared_ptr<std::atomic<int>> cancelled;
    ~witness() { ++*cancelled; }
};

apus::task<std::string> spin(std::string how, std::shared_ptr<std::atomic<int>> cancelled) {
    const witness seen(std::move(cancelled));
    while (how == "sleep") co_await apus::sleep_for(apus::milliseconds(0));
    while (how == "negative") co_await apus::sleep_for(apus::seconds(-1));
    while (how == "yield") co_await apus::yield();
    co_return "no such way\n";
}

unsigned overflow(unsigned depth) {
    volatile char bytes[4096] = {};
    bytes[depth % sizeof bytes] = 1;
    return depth == ~0U ? 0 : overflow(depth + 1) + static_cast<unsigned>(bytes[1]);
}

void throw_an_error() { throw std::runtime_error("thrown from noexcept"); }

void call_nothing() {
    void (*volatile nothing)() = nullptr;
    nothing();
}

std::string crash(std::string how) {
    apus::log::add({"way", how});
    if (how == "segv") *reinterpret_cast<volatile int*>(std::uintptr_t{16}) = 1;
    if (how == "abort") std::abort();
    if (how == "terminate") []() noexcept { throw_an_error(); }();
    if (how == "null") call_nothing();
    if (how == "overflow") return std::to_string(overflow(0));
    for (const auto& [name, number] : {std::pair("fpe", SIGFPE), std::pair("ill", SIGILL), std::pair("bus", SIGBUS)})
        if (how == name) std::raise(number);
    return "no such way\n";
}

apus::task<std::string> crash_elsewhere(std::string how) { co_return co_await apus::blocking(crash, how); }
apus::task<std::string> block_elsewhere(std::uint32_t ms) { co_return co_await apus::blocking(block, ms); }

apus::task<std::string> throw_late() {
    co_await apus::sleep_for(apus::milliseconds(5));
    throw std::runtime_error("thrown late");
}

// Throws or fails, either before the body or after a part of it was sent.
apus::response break_stream(std::string_view how) {
    return apus::stream("text/plain", [how = std::string(how)](apus::writer& out) -> apus::task<> {
        if (how == "at once") throw std::runtime_error("a stream threw at once");
        co_await out.write("first");
        co_await apus::sleep_for(apus::milliseconds(5));
        if (how == "throws") throw std::runtime_error("a stream threw late");
        co_await apus::fail(how == "refuses" ? 404 : 500, "a stream failed");
    });
}

apus::task<std::string> block_late(std::uint32_t ms) {
    co_await apus::sleep_for(apus::milliseconds(5));
    co_return block(ms);
}

apus::task<std::string> wait_for(std::uint32_t ms) {
    co_await apus::sleep_for(apus::milliseconds(ms));
    co_return "waited\n";
}

}  // namespace

int main(int argc, char** argv) {
    apus::serve_options options;
    options.blocked_stack = true;
    if (const char* ms = std::getenv("TEST_HANDLER_MS")) options.limits.handler = apus::milliseconds(std::atoi(ms));
    const bool never_made = std::getenv("TEST_NEVER_MADE") != nullptr;
    auto cancelled = std::make_shared<std::atomic<int>>(0);
    auto make = [cancelled, never_made] {
        if (never_made) endless();
        apus::app app;
        app.use(apus::request_ids());
        app.get("/", [] { return "ok\n"; });
        app.get("/block/{ms}", block);
        app.get("/block/late/{ms}", block_late);
        app.get("/blocking/{ms}", block_elsewhere);
        app.get("/burn/{ms}", burn);
        app.get("/burn/blocking/{ms}", burn_elsewhere);
        app.get("/hold/{count}", [](std::uint32_t count) {
            static thread_local std::vector<std::string> held;
            held = allocate_blocks(count);
            return "held\n";
        });
        app.get("/endless", endless);
        app.get("/spin/{how}", [cancelled](std::string how) { return spin(std::move(how), cancelled); });
        app.get("/cancelled", [cancelled] { return std::to_string(*cancelled) + "\n"; });
        app.get("/crash/{how}", crash);
        app.get("/crash/blocking/{how}", crash_elsewhere);
        app.get("/wait/{ms}", wait_for);
        app.get("/throws", []() -> std::string { throw std::runtime_error("thrown at once"); });
        app.get("/throws/late", throw_late);
        app.get("/fails", []() -> apus::result<std::string> { return apus::fail(500, "the disk is full"); });
        app.get("/stream/{how}", break_stream);
        return app;
    };
    return apus::serve(make, argc, argv, options);
}
