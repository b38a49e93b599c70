// SPDX-License-Identifier: Apache-2.0
#include "tls/ticket_keys.hpp"

#include <doctest/doctest.h>

#include <string_view>

using apus::tls::ticket_keys;

namespace {

constexpr auto hour = std::int64_t{3600};

// Returns the age of a ticket's key: "newest", "old" or "unknown".
std::string_view met(std::int64_t sealed, std::int64_t opened) {
    ticket_keys keys(0);
    const auto key = keys.sealing(sealed);
    const auto found = keys.opening(key.name, opened);
    if (!found) return "unknown";
    return found->newest ? "newest" : "old";
}

}  // namespace

TEST_CASE("a ticket key encrypts for twelve hours, and decrypts for as long again") {
    const struct {
        std::int64_t sealed, opened;
        std::string_view met;
    } cases[] = {
        {0, 0, "newest"},
        {0, 12 * hour - 1, "newest"},
        {0, 12 * hour, "old"},
        {12 * hour - 1, 24 * hour - 1, "old"},
        {0, 24 * hour, "unknown"},
        {0, 240 * hour, "unknown"},
        {13 * hour, 24 * hour, "newest"},
        {13 * hour, 26 * hour, "old"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.sealed);
        CAPTURE(c.opened);
        CHECK(met(c.sealed, c.opened) == c.met);
    }
}

TEST_CASE("ticket keys differ, and an unknown name is reported") {
    ticket_keys keys(0);
    const auto first = keys.sealing(0), same = keys.sealing(1), next = keys.sealing(12 * hour);
    const auto name = [](const ticket_keys::key& k) {
        return std::string_view(reinterpret_cast<const char*>(k.name), sizeof k.name);
    };
    CHECK(name(first) == name(same));
    CHECK(name(first) != name(next));
    const unsigned char never[ticket_keys::name_size] = {};
    CHECK(!keys.opening(never, 12 * hour));
}
