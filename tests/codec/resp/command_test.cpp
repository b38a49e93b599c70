// SPDX-License-Identifier: Apache-2.0
#include "codec/resp/command.hpp"

#include "codec/resp/reply.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::codec::resp;

TEST_CASE("a Redis command is a list of bulk strings") {
    std::string made;
    append_command(made, {"SET", "key", ""});
    CHECK(made == "*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$0\r\n\r\n");
    append_head(made, 1'000'000);
    CHECK(made.ends_with("\r\n*1000000\r\n"));
}

TEST_CASE("arguments of Redis commands are binary") {
    const std::string binary("\r\n\0$3\xff", 6);
    std::string made;
    append_command(made, {binary});
    CHECK(made == "*1\r\n$6\r\n" + binary + "\r\n");
    std::string_view from = made;
    CHECK(take_element(from).count == 1);
    CHECK(take_element(from).text == binary);
    CHECK(from.empty());
}
