// SPDX-License-Identifier: Apache-2.0
#include "codec/nats/command.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace apus::codec::nats;
using namespace std::string_view_literals;

TEST_CASE("NATS: operations for a server") {
    std::string to;
    append_connect(to, "{\"verbose\":false}");
    append_publish(to, "a.b", "", "", "hello");
    append_publish(to, "a.b", "r.1", "", std::string_view("\0\r\n", 3));
    append_publish(to, "a", "", "NATS/1.0\r\n\r\n", "x");
    append_publish(to, "a", "r", "NATS/1.0\r\n\r\n", "");
    append_subscribe(to, "a.>", "", 1);
    append_subscribe(to, "a.*", "workers", 18446744073709551615U);
    append_unsubscribe(to, 1);
    CHECK(to ==
          "CONNECT {\"verbose\":false}\r\n"
          "PUB a.b 5\r\nhello\r\n"
          "PUB a.b r.1 3\r\n\0\r\n\r\n"
          "HPUB a 12 13\r\nNATS/1.0\r\n\r\nx\r\n"
          "HPUB a r 12 12\r\nNATS/1.0\r\n\r\n\r\n"
          "SUB a.> 1\r\n"
          "SUB a.* workers 18446744073709551615\r\n"
          "UNSUB 1\r\n"sv);
}
