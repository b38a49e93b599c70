// SPDX-License-Identifier: Apache-2.0
#include <apus/detail/redis_reply.hpp>
#include <apus/redis/failure.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace apus;

namespace {

template <class T>
T value_of(std::string_view reply) {
    auto got = redis::detail::convert_reply<T>(reply, "TEST", false);
    if (!got) FAIL(reply, got.error().cause());
    return *std::move(got);
}

template <class T>
std::string failure_of(std::string_view reply) {
    auto got = redis::detail::convert_reply<T>(reply, "TEST", false);
    return got ? "value" : std::string(got.error().cause());
}

using text = std::string;
using map = std::map<text, int>;

}  // namespace

TEST_CASE("replies of Redis as values") {
    CHECK(value_of<text>("$1\r\na\r\n") == "a");
    CHECK(value_of<text>(":-5\r\n") == "-5");
    CHECK(value_of<text>(",1.5\r\n") == "1.5");
    CHECK(value_of<int>(":-5\r\n") == -5);
    CHECK(value_of<int>("$2\r\n42\r\n") == 42);
    CHECK(value_of<unsigned long long>("$20\r\n18446744073709551615\r\n") == 18446744073709551615ULL);
    CHECK(value_of<int>(",3\r\n") == 3);
    CHECK(value_of<double>(",2.5\r\n") == 2.5);
    CHECK(value_of<double>("$3\r\n2.5\r\n") == 2.5);
    CHECK(value_of<double>(":2\r\n") == 2);
    CHECK(value_of<double>(",-inf\r\n") == -HUGE_VAL);
    CHECK(std::isnan(value_of<double>(",nan\r\n")));
    CHECK(value_of<bool>("+OK\r\n"));
    CHECK(value_of<bool>("#t\r\n"));
    CHECK(value_of<bool>(":1\r\n"));
    CHECK(!value_of<bool>("_\r\n"));
    CHECK(!value_of<bool>("$-1\r\n"));
    CHECK(value_of<std::optional<text>>("_\r\n") == std::nullopt);
    CHECK(value_of<std::optional<text>>("*-1\r\n") == std::nullopt);
    CHECK(value_of<std::optional<int>>(":1\r\n") == 1);
    CHECK(value_of<std::vector<text>>("*2\r\n+a\r\n+b\r\n") == std::vector<text>{"a", "b"});
    CHECK(value_of<std::vector<text>>("%1\r\n+a\r\n+b\r\n") == std::vector<text>{"a", "b"});
    CHECK(value_of<std::set<int>>("~2\r\n:2\r\n:1\r\n") == std::set<int>{1, 2});
    CHECK(value_of<std::vector<std::optional<int>>>("*2\r\n:1\r\n_\r\n").at(1) == std::nullopt);
    CHECK(value_of<map>("%2\r\n+a\r\n:1\r\n+b\r\n:2\r\n") == map{{"a", 1}, {"b", 2}});
    CHECK(value_of<map>("*4\r\n+a\r\n:1\r\n+b\r\n:2\r\n") == map{{"a", 1}, {"b", 2}});
    CHECK(value_of<map>("*2\r\n*2\r\n+a\r\n:1\r\n*2\r\n+b\r\n:2\r\n") == map{{"a", 1}, {"b", 2}});
    CHECK(value_of<map>("*0\r\n").empty());
    CHECK(value_of<std::vector<std::pair<text, double>>>("*1\r\n*2\r\n+a\r\n,1.5\r\n").at(0).second == 1.5);
    CHECK(value_of<std::pair<int, text>>("*2\r\n:1\r\n+a\r\n") == std::pair<int, text>(1, "a"));
    CHECK(value_of<std::map<text, std::vector<int>>>("%1\r\n+a\r\n*1\r\n:7\r\n").at("a").at(0) == 7);
    CHECK(failure_of<void>("*2\r\n*1\r\n:1\r\n+a\r\n") == "value");
}

TEST_CASE("replies of Redis that have another type") {
    CHECK(failure_of<int>("$1\r\na\r\n") == "an integer was expected, the reply has a text; command: TEST");
    CHECK(failure_of<int>(",1.5\r\n") == "an integer was expected, the reply has a real number; command: TEST");
    CHECK(failure_of<text>("_\r\n") == "a text was expected, the reply has null: use std::optional; command: TEST");
    CHECK(failure_of<text>("*1\r\n:1\r\n") == "a text was expected, the reply has a list; command: TEST");
    CHECK(failure_of<std::vector<int>>(":1\r\n") == "a list was expected, the reply has an integer; command: TEST");
    CHECK(failure_of<map>("*3\r\n+a\r\n+b\r\n+c\r\n") == "a map was expected, the reply has a list; command: TEST");
    CHECK(failure_of<map>("*2\r\n*2\r\n+a\r\n:1\r\n:3\r\n") ==
          "a list of two elements was expected, the reply has an integer; command: TEST");
    CHECK(failure_of<bool>("+YES\r\n") == "a boolean was expected, the reply has a text; command: TEST");
    for (const char* reply : {":300\r\n", ":-129\r\n", "$3\r\n128\r\n"})
        CHECK(failure_of<signed char>(reply) == "a number in the reply is out of the range of its type; command: TEST");
    CHECK(failure_of<unsigned>(":-1\r\n") ==
          "an integer that is not negative was expected, the reply has an integer; command: TEST");
    CHECK(failure_of<double>("$1\r\na\r\n") ==
          "a number in the range of double was expected, the reply has a text; command: TEST");
    CHECK(failure_of<void>("-ERR no\r\n") == "ERR no; command: TEST");
    CHECK(failure_of<std::vector<int>>("*3\r\n:1\r\n-WRONGTYPE x\r\n:2\r\n") == "WRONGTYPE x; command: TEST");
    CHECK(failure_of<std::optional<int>>("-NOPERM x\r\n") == "NOPERM x; command: TEST");
}
