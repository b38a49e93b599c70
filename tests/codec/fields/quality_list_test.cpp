// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/quality_list.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::codec;

namespace {

// Returns a text such as "gzip 500, br 1000".
std::string seen(std::string_view list) {
    std::string out;
    fields::weighted item;
    while (fields::next_weighted(list, item)) {
        if (!out.empty()) out += ", ";
        ((out += item.value) += ' ') += std::to_string(item.weight);
    }
    return out;
}

struct row {
    std::string_view list;
    std::string_view items;
};

constexpr row lists[] = {
    {"", ""},
    {" , ,\t,", ""},
    {"gzip", "gzip 1000"},
    {"gzip, br", "gzip 1000, br 1000"},
    {"gzip,br ,\tzstd", "gzip 1000, br 1000, zstd 1000"},
    {"gzip;q=0.5, br;q=1, *;q=0", "gzip 500, br 1000, * 0"},
    {"a;q=0.001, b;q=1.000, c;q=0., d;q=1.", "a 1, b 1000, c 0, d 1000"},
    {"a;Q=0.25 , b ; q=0.75", "a 250, b 750"},
    {"a;q=, b;q=1.001, c;q=2, d;q=-1, e;q=0.0000, f;q=.5, g;q=0,5, h;q=x", "g 0, 5 1000"},
    {"text/html;level=1;q=0.4, text/html;level=2", "text/html;level=1 400, text/html;level=2 1000"},
    {"text/html ; level=1 ; q=0.4;ext=1", "text/html ; level=1 400"},
    {R"(a/b;p="x,y;q=0";q=0.3, c/d)", R"(a/b;p="x,y;q=0" 300, c/d 1000)"},
    {R"(a/b;p="x\",y";q=0.3)", R"(a/b;p="x\",y" 300)"},
    {R"(a/b;p="never closed, c;q=0)", R"(a/b;p="never closed, c;q=0 1000)"},
    {R"(a;p="\)", R"(a;p="\ 1000)"},
    {";q=1, ;, a", "a 1000"},
    {"da, en-gb;q=0.8, en;q=0.7", "da 1000, en-gb 800, en 700"},
};

struct coding_row {
    std::string_view accepts;
    std::string_view coding;
    unsigned weight;
};

constexpr coding_row codings[] = {
    {"", "gzip", 0},
    {"", "identity", 1000},
    {"gzip", "gzip", 1000},
    {"GZip", "gzip", 1000},
    {"x-gzip;q=0.5", "gzip", 500},
    {"x-gzip", "br", 0},
    {"br;q=1, gzip;q=0.8", "gzip", 800},
    {"br;q=1, gzip;q=0.8", "identity", 1000},
    {"*", "zstd", 1000},
    {"*;q=0", "identity", 0},
    {"*;q=0, identity;q=0.5", "identity", 500},
    {"*;q=0.3, gzip;q=0", "gzip", 0},
    {"gzip;q=0, *;q=0.3", "br", 300},
    {"identity;q=0", "identity", 0},
    {"gzip;q=0.2, gzip;q=0.9", "gzip", 200},
    {"gzipped", "gzip", 0},
    {"gzip;q=oops", "gzip", 0},
};

}  // namespace

TEST_CASE("weighted lists are parsed, and items with invalid weights are ignored") {
    apus::test::page_end room(4096);
    for (const auto& [list, items] : lists) {
        CAPTURE(list);
        CHECK(seen(room.place(list)) == items);
    }
}

TEST_CASE("the weight of a content coding") {
    for (const auto& [accepts, coding, weight] : codings) {
        CAPTURE(accepts);
        CAPTURE(coding);
        CHECK(fields::coding_weight(accepts, coding) == weight);
    }
}
