// SPDX-License-Identifier: Apache-2.0
#include "middleware/session_cookies.hpp"

#include <doctest/doctest.h>

using namespace apus;
using middleware::session_cookies;

namespace {

std::int64_t at_1000() { return 1000; }

}  // namespace

TEST_CASE("session keeper: damaged bytes from a store are not a session") {
    memory_session_store store;
    const session_cookies keeper({.now = at_1000}, &store, nullptr);
    session s = keeper.nothing();
    s.set("user", "anna");
    s.set("visits", 7);
    response res;
    const auto kept = keeper.commit(s, res);
    CHECK(kept.remove.empty());
    CHECK(kept.id == s.id());

    const session again = keeper.from_bytes(kept.save, kept.id);
    CHECK(again.find("user") == "anna");
    CHECK(again.find<int>("visits") == 7);
    CHECK(keeper.from_bytes(kept.save, "AAAAAAAAAAAAAAAAAAAAAA").empty());  // the id belongs to another session

    constexpr std::size_t before_values = 38, user = 2 + 4 + 2 + 4;
    for (std::size_t size = 0; size < kept.save.size(); ++size) {
        CAPTURE(size);
        const session cut = keeper.from_bytes(kept.save.substr(0, size), kept.id);
        CHECK(cut.find("user").has_value() == (size == before_values + user));
    }
    std::string longer = kept.save;
    longer[before_values + 1] = '\x7f';  // declares a size beyond the end
    CHECK(keeper.from_bytes(longer, kept.id).empty());
}

TEST_CASE("session keeper: the store does not learn the id") {
    const std::string id = "abcdefghijklmnopqrstuv";
    CHECK(session_cookies::key_of(id).size() == 43);
    CHECK_FALSE(session_cookies::key_of(id).contains(id.substr(0, 8)));
    CHECK(session_cookies::key_of(id) == session_cookies::key_of(id));
}
