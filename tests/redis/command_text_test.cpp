// SPDX-License-Identifier: Apache-2.0
#include <apus/detail/redis_command.hpp>
#include <apus/secret.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace apus;
using apus::redis::detail::make_command;

namespace {

template <class... A>
std::string wire_of(const A&... arguments) {
    std::string wire;
    make_command("X", arguments...).append_to(wire);
    return wire;
}

}  // namespace

TEST_CASE("arguments of Redis commands by their types") {
    const std::string x = "$1\r\nX\r\n";
    CHECK(wire_of() == "*1\r\n" + x);
    CHECK(wire_of("a", std::string("b"), std::string_view("c")) == "*4\r\n" + x + "$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n");
    CHECK(wire_of(-1, 18446744073709551615ULL) == "*3\r\n" + x + "$2\r\n-1\r\n$20\r\n18446744073709551615\r\n");
    CHECK(wire_of(1.5, 0.1F, true) == "*4\r\n" + x + "$3\r\n1.5\r\n$19\r\n0.10000000149011612\r\n$1\r\n1\r\n");
    CHECK(wire_of(std::vector<std::string>{"a", "b"}, 1) == "*4\r\n" + x + "$1\r\na\r\n$1\r\nb\r\n$1\r\n1\r\n");
    CHECK(wire_of(std::vector<int>()) == "*1\r\n" + x);
    CHECK(wire_of(std::map<std::string, int>{{"a", 1}}) == "*3\r\n" + x + "$1\r\na\r\n$1\r\n1\r\n");
}

TEST_CASE("a secret argument of a Redis command hides the texts of errors") {
    CHECK(!make_command("SET", "a", "b").hidden());
    const auto made = make_command("SET", "a", secret<std::string>("b"));
    CHECK(made.hidden());
    redis::detail::command_text other("SET");
    other.add_others(made);
    CHECK(other.hidden());
    CHECK(other.arguments() == 3);
}
