// SPDX-License-Identifier: Apache-2.0
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::app;
using namespace apus::support;

namespace {

app echo_numbers() {
    app a;
    a.get("/i8/{n}", [](signed char n) { return std::to_string(n); });
    a.get("/u8/{n}", [](std::uint8_t n) { return std::to_string(n); });
    a.get("/i32/{n}", [](int n) { return std::to_string(n); });
    a.get("/i64/{n}", [](std::int64_t n) { return std::to_string(n); });
    a.get("/u64/{n}", [](std::uint64_t n) { return std::to_string(n); });
    a.get("/double/{n}", [](double n) { return std::to_string(n); });
    a.get("/bool/{n}", [](bool n) { return n ? "yes" : "no"; });
    a.get("/two/{a}/{b}", [](std::string first, int second) { return first + std::to_string(second); });
    a.get("/mixed/{a}/{b}", [](int first, apus::request& req, std::string_view second) {
        return std::to_string(first) + std::string(second) + std::string(req.method_text());
    });
    a.get("/later/{n}", [](int n) -> apus::task<std::string> { co_return std::to_string(n); });
    a.get("/text/{name}", [](std::string name) { return name; });
    a.get("/rest/{name...}", [](std::string_view name) { return name; });
    return a;
}

}  // namespace

TEST_CASE("captures are converted to values") {
    direct to(echo_numbers());
    check_answers(to, {
                          {"GET /i8/-128", "200 -128"},
                          {"GET /u8/255", "200 255"},
                          {"GET /i32/-2147483648", "200 -2147483648"},
                          {"GET /i32/007", "200 7"},
                          {"GET /i32/%37", "200 7"},
                          {"GET /i64/9223372036854775807", "200 9223372036854775807"},
                          {"GET /i64/-9223372036854775808", "200 -9223372036854775808"},
                          {"GET /u64/18446744073709551615", "200 18446744073709551615"},
                          {"GET /double/-2.5e1", "200 -25.000000"},
                          {"GET /bool/true", "200 yes"},
                          {"GET /bool/false", "200 no"},
                          {"GET /two/x/5", "200 x5"},
                          {"GET /mixed/5/x", "200 5xGET"},
                          {"GET /later/5", "200 5"},
                      });
}

TEST_CASE("an invalid path value is a 400 that names it") {
    direct to(echo_numbers());
    check_problems(to,
                   {
                       {"GET /i32/abc", "400 `n` must be an integer, not \\\"abc\\\""},
                       {"GET /i32/+1", "400 `n` must be an integer, not \\\"+1\\\""},
                       {"GET /i32/1x", "400 `n` must be an integer, not \\\"1x\\\""},
                       {"GET /i32/-", "400 `n` must be an integer, not \\\"-\\\""},
                       {"GET /i32/%201", "400 `n` must be an integer, not \\\" 1\\\""},
                       {"GET /i32/2147483648",
                        "400 `n` must be an integer from -2147483648 to 2147483647, not \\\"2147483648\\\""},
                       {"GET /i8/128", "400 `n` must be an integer from -128 to 127, not \\\"128\\\""},
                       {"GET /u8/-1", "400 `n` must be an integer from 0 to 255, not \\\"-1\\\""},
                       {"GET /u8/256", "400 `n` must be an integer from 0 to 255, not \\\"256\\\""},
                       {"GET /u64/18446744073709551616",
                        "400 `n` must be an integer from 0 to 18446744073709551615, not \\\"18446744073709551616\\\""},
                       {"GET /i32/aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee",
                        "400 `n` must be an integer, not \\\"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...\\\""},
                       {"GET /double/inf", "400 `n` must be a number, not \\\"inf\\\""},
                       {"GET /double/1e999", "400 `n` must be a number, not \\\"1e999\\\""},
                       {"GET /double/x", "400 `n` must be a number, not \\\"x\\\""},
                       {"GET /bool/1", "400 `n` must be true or false, not \\\"1\\\""},
                       {"GET /mixed/x/x", "400 `a` must be an integer, not \\\"x\\\""},
                       {"GET /later/x", "400 `n` must be an integer, not \\\"x\\\""},
                   });
}
