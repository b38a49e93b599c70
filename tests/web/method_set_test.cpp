// SPDX-License-Identifier: Apache-2.0
#include "web/method_set.hpp"

#include <doctest/doctest.h>

using apus::method;
using namespace apus::web;

TEST_CASE("Allow names HEAD with GET, and always OPTIONS") {
    CHECK(allow_field({}) == "OPTIONS");
    CHECK(allow_field(method_set(method::get)) == "GET, HEAD, OPTIONS");
    CHECK(allow_field(method_set(method::del) | method_set(method::post)) == "POST, DELETE, OPTIONS");
    CHECK(allow_field(method_set(method::head) | method_set(method::options)) == "HEAD, OPTIONS");
}
