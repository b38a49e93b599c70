// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/config.hpp>

#include "configuration/subject.hpp"

#include <doctest/doctest.h>

using namespace apus;
using configuration::test::subject;

TEST_CASE("a configuration reads its command line") {
    configuration::test::words arguments({"program", "--page-size=7", "--key-file=/nonexistent"});
    const config<subject> settings(arguments.argc(), arguments.argv(), {.prefix = "APUS_TEST_OF_CONFIG"});
    CHECK(!settings);
}

TEST_CASE("a test sets values without sources") {
    subject value;
    value.page_size = 9;
    value.name = "test";
    const config<subject> settings(std::move(value));
    CHECK(settings);
    CHECK(settings->page_size == 9);
    CHECK((*settings).name == "test");
}
