// SPDX-License-Identifier: Apache-2.0
#include "showcase/waiting.hpp"

#include "showcase/query_number.hpp"

#include <apus/blocking.hpp>
#include <apus/sleep.hpp>

#include <algorithm>
#include <utility>

namespace showcase {
namespace {

// Deliberately slow: a placeholder for work that would block a core.
std::uint64_t primes_in(std::uint64_t from, std::uint64_t end) {
    std::uint64_t count = 0;
    for (std::uint64_t n = from; n < end; ++n) {
        bool prime = true;
        for (std::uint64_t d = 2; d * d <= n && prime; ++d) prime = n % d != 0;
        count += prime;
    }
    return count;
}

// Yields after each slice of about a millisecond, so that other requests of the core are served.
apus::task<std::uint64_t> primes_in_slices(std::uint64_t end) {
    constexpr std::uint64_t slice = 5'000;
    std::uint64_t count = 0;
    for (std::uint64_t from = 2; from < end; from += slice) {
        count += primes_in(from, std::min(from + slice, end));
        co_await apus::yield();
    }
    co_return count;
}

}  // namespace

apus::task<std::string> slow(apus::request& req) {
    const auto asked = query_number(req, "ms", {.otherwise = 1'000, .most = 20'000});
    const auto ms = co_await asked;  // an error ends the handler here, and becomes the response
    co_await apus::sleep_for(apus::milliseconds(static_cast<std::int64_t>(ms)));
    co_return "waited for " + std::to_string(ms) + " ms\n";
}

apus::task<std::string> count_primes(apus::request& req) {
    const auto asked = query_number(req, "below", {.otherwise = 200'000, .most = 2'000'000});
    const auto below = co_await asked;
    const auto here = query_number(req, "here", {.otherwise = 0, .most = 1});
    if (co_await here) {
        const auto found = co_await primes_in_slices(below);
        co_return std::to_string(found) + " primes below " + std::to_string(below) + ", found on this core\n";
    }
    const auto count = co_await apus::blocking(primes_in, std::uint64_t(2), below);
    co_return std::to_string(count) + " primes below " + std::to_string(below) + "\n";
}

}  // namespace showcase
