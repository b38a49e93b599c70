// SPDX-License-Identifier: Apache-2.0
#include "codec/trace_context/parent.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

using namespace apus::codec::trace_context;

#define APUS_TEST_IDS "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"

struct accepted {
    std::string_view text, printed;
};
constexpr accepted accepted_parents[] = {
    {"00-" APUS_TEST_IDS "-01", "00-" APUS_TEST_IDS "-01"},
    {"00-" APUS_TEST_IDS "-00", "00-" APUS_TEST_IDS "-00"},
    {"00-" APUS_TEST_IDS "-03", "00-" APUS_TEST_IDS "-03"},
    {"00-" APUS_TEST_IDS "-ff", "00-" APUS_TEST_IDS "-03"},  // unknown flags are not passed on
    {"00-" APUS_TEST_IDS "-fe", "00-" APUS_TEST_IDS "-02"},
    {"00-00000000000000000000000000000001-0000000000000001-01",
     "00-00000000000000000000000000000001-0000000000000001-01"},
    {"01-" APUS_TEST_IDS "-03", "00-" APUS_TEST_IDS "-01"},  // a later version: only the sampled flag is known
    {"cc-" APUS_TEST_IDS "-01-what-the-future-will-be-like", "00-" APUS_TEST_IDS "-01"},
    {"fe-" APUS_TEST_IDS "-01-", "00-" APUS_TEST_IDS "-01"},
};

constexpr std::string_view rejected_parents[] = {
    "",
    "0",
    "00",
    "00-",
    "00-" APUS_TEST_IDS,
    "00-" APUS_TEST_IDS "-",
    "00-" APUS_TEST_IDS "-0",
    "00-" APUS_TEST_IDS "-011",
    "00-" APUS_TEST_IDS "-01-",
    "00-" APUS_TEST_IDS "-01-extra",
    "00-" APUS_TEST_IDS "-01 ",
    " 00-" APUS_TEST_IDS "-01",
    "ff-" APUS_TEST_IDS "-01",
    "FF-" APUS_TEST_IDS "-01",
    "0x-" APUS_TEST_IDS "-01",
    "cc-" APUS_TEST_IDS "-01what",
    "cc-" APUS_TEST_IDS "-01.what",
    "00-" APUS_TEST_IDS "-0x",
    "00-" APUS_TEST_IDS "-0G",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00F067AA0BA902B7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e473-000f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e473600f067aa0ba902b7--01",
    "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
    "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e47\xc3\xa4-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e47.6-00f067aa0ba902b7-01",
    "00-" APUS_TEST_IDS "-01,00-" APUS_TEST_IDS "-01",
};

}  // namespace

TEST_CASE("trace context: traceparent is parsed and printed") {
    apus::test::page_end room(4096);
    for (const auto& [text, printed] : accepted_parents) {
        CAPTURE(text);
        const auto found = read_parent(room.place(text));
        REQUIRE(found);
        CHECK(found->sampled() == (printed.back() == '1' || printed.back() == '3'));
        std::string out(parent_size, '?');
        write_parent(*found, out.data());
        CHECK(out == printed);
        CHECK(read_parent(out) == found);
    }
}

TEST_CASE("trace context: invalid values of traceparent are rejected") {
    apus::test::page_end room(4096);
    for (const auto text : rejected_parents) {
        CAPTURE(text);
        CHECK(!read_parent(room.place(text)));
    }
    const std::string_view whole = accepted_parents[0].text;
    for (std::size_t n = 0; n < whole.size(); ++n) CHECK(!read_parent(room.place(whole.substr(0, n))));
}
