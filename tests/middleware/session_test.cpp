// SPDX-License-Identifier: Apache-2.0
#include <apus/sessions.hpp>

#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace apus;

TEST_CASE("session: texts and numbers by name") {
    app a;
    a.use(sessions({std::string(32, 's')}));
    a.get("/", [](session& s) {
        CHECK(s.empty());
        CHECK_FALSE(s.find("a"));
        s.set("a", "1");
        s.set("b", std::numeric_limits<std::int64_t>::min());
        s.set("c", true);
        s.set("d", 300);
        CHECK(s.find("a") == "1");
        CHECK(s.find<std::string>("a") == std::string("1"));
        CHECK(s.find<int>("a") == 1);
        CHECK(s.find<std::int64_t>("b") == std::numeric_limits<std::int64_t>::min());
        CHECK_FALSE(s.find<int>("b"));
        CHECK(s.find<bool>("c") == true);
        CHECK_FALSE(s.find<unsigned char>("d"));
        s.set("d", std::numeric_limits<std::uint64_t>::max());
        CHECK(s.find<std::uint64_t>("d") == std::numeric_limits<std::uint64_t>::max());
        CHECK_FALSE(s.find<std::int64_t>("d"));
        CHECK_FALSE(s.find<std::uint64_t>("b"));
        s.set("d", -1);
        CHECK_FALSE(s.find<std::uint64_t>("d"));
        CHECK_FALSE(s.find<unsigned>("d"));
        s.set("a", "x");
        CHECK(s.find("a") == "x");
        CHECK_FALSE(s.find<int>("a"));
        s.erase("a");
        s.erase("a");
        CHECK_FALSE(s.find("a"));
        CHECK_FALSE(s.empty());
    });
    support::direct to(std::move(a));
    to.send("GET /");
    CHECK(to.status() == 204);
}
