// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/cache_control.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

// Returns "no-store max-age=5", in the order of the struct's members.
std::string seen(std::string_view value) {
    const auto c = apus::codec::fields::read_cache_control(value);
    std::string text;
    if (c.no_store) text += "no-store ";
    if (c.no_cache) text += "no-cache ";
    if (c.is_private) text += "private ";
    if (c.is_public) text += "public ";
    if (c.must_revalidate) text += "must-revalidate ";
    if (c.max_age) text += "max-age=" + std::to_string(*c.max_age) + " ";
    if (c.s_maxage) text += "s-maxage=" + std::to_string(*c.s_maxage) + " ";
    if (c.stale_while_revalidate) text += "stale=" + std::to_string(c.stale_while_revalidate) + " ";
    return text;
}

}  // namespace

TEST_CASE("directives of Cache-Control") {
    struct row {
        const char* value;
        const char* seen;
    };
    const row rows[] = {
        {"", ""},
        {" , ,", ""},
        {"max-age=60", "max-age=60 "},
        {"MAX-AGE=60, Public", "public max-age=60 "},
        {"public,max-age=60,s-maxage=5 , stale-while-revalidate=30", "public max-age=60 s-maxage=5 stale=30 "},
        {"max-age=\"60\"", "max-age=60 "},
        {"max-age=x", "max-age=0 "},
        {"max-age=-1", "max-age=0 "},
        {"max-age", "max-age=0 "},
        {"max-age=99999999999999999999999", "max-age=2147483648 "},
        {"max-age=1, max-age=2", "max-age=1 "},
        {"private=\"set-cookie, no-store\", no-cache", "no-cache private "},
        {"other=\"a, no-store \\\", no-store\", public", "public "},
        {"other=\"never closed, no-store", ""},
        {"other=\"\\", ""},
        {"no-store", "no-store "},
        {"proxy-revalidate", "must-revalidate "},
        {"no-storex, xmax-age=5", ""},
    };
    for (const auto& row : rows) {
        CAPTURE(row.value);
        CHECK(seen(row.value) == row.seen);
    }
}
