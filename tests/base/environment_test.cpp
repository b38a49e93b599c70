// SPDX-License-Identifier: Apache-2.0
#include <apus/environment.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>

namespace {

struct url {
    std::string text;
    int retries;
    explicit url(std::string_view from, int tries = 1) : text(from), retries(tries) {
        if (from == "foo://x") throw std::invalid_argument("invalid URL: unknown scheme");
        if (from == "full") throw std::runtime_error("no descriptors");
    }
};

std::string made(const char* value) {
    constexpr const char* name = "APUS_TEST_URL";
    if (value) setenv(name, value, 1);
    else unsetenv(name);
    try {
        const auto one = apus::from_environment<url>(name, "default://", 3);
        return one.text + " " + std::to_string(one.retries);
    } catch (const std::exception& e) {
        return e.what();
    }
}

}  // namespace

TEST_CASE("objects of environment variables, and errors that name the variable") {
    struct row {
        const char *value, *expected;
    };
    const row rows[] = {{nullptr, "default:// 3"},
                        {"", "default:// 3"},
                        {"a://b", "a://b 3"},
                        {"foo://x", "APUS_TEST_URL: invalid URL: unknown scheme"},
                        {"full", "no descriptors"}};
    for (const auto& [value, expected] : rows) CHECK(made(value) == expected);
}
