// SPDX-License-Identifier: Apache-2.0
#include "middleware/cache_entry.hpp"

#include "base/keyed_hash.hpp"
#include "base/sized_text.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::middleware;

namespace {

stored_response page() {
    stored_response made;
    made.status = 404;
    made.type = "text/plain";
    made.body = std::string("a\0b\r\n", 5);
    made.fields = {{"Cache-Control", "max-age=60"}, {"Vary", ""}};
    return made;
}

// An entry with a valid checksum.
std::string sealed(std::string_view content) {
    std::string made = "apus-rc1";
    apus::base::put_number(made, apus::base::keyed_hash(content, {}), 8);
    return made.append(content);
}

std::string content(std::string_view key, char kind, std::string_view rest) {
    std::string made;
    apus::base::put_text(made, key, 4);
    return made.append(1, kind).append(rest);
}

}  // namespace

TEST_CASE("cache entries: responses and names of fields are read as they were written") {
    const auto read = read_cache_entry(entry_bytes("http h /p", page()));
    REQUIRE(read);
    CHECK(read->key == "http h /p");
    const auto& kept = std::get<stored_response>(read->content);
    CHECK(kept.status == 404);
    CHECK(kept.type == "text/plain");
    CHECK(kept.body == page().body);
    CHECK(kept.fields == page().fields);
    const auto names = read_cache_entry(entry_bytes("", varying_fields{"Accept", "X-Own"}));
    REQUIRE(names);
    CHECK(std::get<varying_fields>(names->content) == varying_fields{"Accept", "X-Own"});
}

TEST_CASE("cache entries: cut and changed bytes are invalid") {
    for (const std::string& whole : {entry_bytes("k", page()), entry_bytes("k", varying_fields{"Accept"})}) {
        for (std::size_t size = 0; size < whole.size(); ++size) {
            CAPTURE(size);
            CHECK_FALSE(read_cache_entry(whole.substr(0, size)));
            for (const int bit : {0, 7}) {
                std::string changed = whole;
                changed[size] = static_cast<char>(changed[size] ^ (1 << bit));
                CHECK_FALSE(read_cache_entry(changed));
            }
        }
        CHECK_FALSE(read_cache_entry(whole + "x"));
    }
}

TEST_CASE("cache entries: invalid contents with a valid checksum") {
    const std::string nothing(8, '\0');  // no media type, no body
    struct row {
        const char* name;
        std::string content;
        bool valid;
    };
    const row rows[] = {
        {"a response", content("k", 'r', "\xc8" + std::string(1, '\0') + nothing), true},
        {"another kind", content("k", 'x', "\xc8" + std::string(1, '\0') + nothing), false},
        {"no kind", content("k", 'r', "").substr(0, 5), false},
        {"no status", content("k", 'r', "\xc8"), false},
        {"status 99", content("k", 'r', "c" + std::string(1, '\0') + nothing), false},
        {"status 600", content("k", 'r', "\x58\x02" + nothing), false},
        {"a key without its end", std::string("\xff\xff\xff\xff", 4) + "k", false},
        {"a body without its end", content("k", 'r', "\xc8" + std::string(5, '\0') + "\xff\xff\xff\xff"), false},
        {"a field of the server",
         content("k", 'r',
                 "\xc8" + std::string(1, '\0') + nothing +
                     std::string("\x0e\0\0\0content-length\1\0\0\0"
                                 "5",
                                 23)),
         false},
        {"a line break",
         content("k", 'r', "\xc8" + std::string(1, '\0') + nothing + std::string("\1\0\0\0x\3\0\0\0a\r\n", 12)), false},
        {"a line break in the media type", content("k", 'r', std::string("\xc8\0\3\0\0\0a\r\n\0\0\0\0", 13)), false},
        {"names", content("k", 'v', std::string("\1\0a\1\0b", 6)), true},
        {"no names", content("k", 'v', ""), false},
        {"an empty name", content("k", 'v', std::string("\0\0", 2)), false},
        {"a name with a space", content("k", 'v', std::string("\3\0a b", 5)), false},
        {"nothing", "", false},
    };
    for (const auto& [name, bytes, valid] : rows) {
        CAPTURE(name);
        CHECK(read_cache_entry(sealed(bytes)).has_value() == valid);
    }
    varying_fields many(most_varying, "a");
    CHECK(read_cache_entry(entry_bytes("k", many)));
    many.emplace_back("b");
    CHECK_FALSE(read_cache_entry(entry_bytes("k", many)));
}
