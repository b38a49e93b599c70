// SPDX-License-Identifier: Apache-2.0
#include "showcase/waiting.hpp"

#include "showcase/query_number.hpp"

#include <apus/blocking.hpp>
#include <apus/sleep.hpp>

#include <utility>

namespace showcase {
namespace {

// Slow on purpose: it stands for work that would hold up a core.
std::uint64_t primes_below(std::uint64_t end) {
    std::uint64_t count = 0;
    for (std::uint64_t n = 2; n < end; ++n) {
        bool prime = true;
        for (std::uint64_t d = 2; d * d <= n && prime; ++d) prime = n % d != 0;
        count += prime;
    }
    return count;
}

}  // namespace

apus::task<std::string> slow(apus::request& req) {
    const auto asked = query_number(req, "ms", {.otherwise = 1'000, .most = 20'000});
    const auto ms = co_await asked;  // an error ends the handler here, and becomes the response
    co_await apus::sleep(apus::milliseconds(static_cast<std::int64_t>(ms)));
    co_return "waited for " + std::to_string(ms) + " ms\n";
}

apus::task<std::string> count_primes(apus::request& req) {
    const auto asked = query_number(req, "below", {.otherwise = 200'000, .most = 2'000'000});
    const auto below = co_await asked;
    auto work = [below] { return primes_below(below); };
    const auto count = co_await apus::blocking(std::move(work));
    co_return std::to_string(count) + " primes below " + std::to_string(below) + "\n";
}

}  // namespace showcase
