// SPDX-License-Identifier: Apache-2.0
#include "http/date_line.hpp"

#include <doctest/doctest.h>

using namespace apus;

TEST_CASE("the Date of a response is current") {
    http::date_line date;
    CHECK(date.date(784'111'777) == "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
    CHECK(date.value(784'111'777) == "Sun, 06 Nov 1994 08:49:37 GMT");
    CHECK(date.ok(784'111'778) == "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:38 GMT\r\n");
    CHECK(date.ok(784'111'778) == "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:38 GMT\r\n");
}
