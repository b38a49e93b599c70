// SPDX-License-Identifier: Apache-2.0
#include "outbound/failure.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;

TEST_CASE("outbound: texts of other services are shown without control characters, and truncated") {
    const struct {
        std::string_view text, shown;
    } examples[] = {{"", ""},
                    {"ERR wrong type", "ERR wrong type"},
                    {"a\r\n\x7f\x1b[31mb", "a????[31mb"},
                    {"caf\xc3\xa9", "caf\xc3\xa9"}};
    for (const auto& one : examples) CHECK(outbound::printable(one.text) == one.shown);
    CHECK(outbound::printable(std::string(600, 'x')) == std::string(500, 'x'));
}

TEST_CASE("outbound: another service that is unavailable is a 503, whose reason only the log has") {
    const error why = outbound::unavailable("Redis cannot be reached", "Connection refused");
    CHECK(why.status() == 503);
    CHECK(std::string(why.detail()) == "Redis cannot be reached");
    CHECK(std::string(why.cause()) == "Connection refused");
}
