// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/credentials.hpp"

#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

// Returns "scheme|token", or "none".
std::string seen(std::string_view value) {
    static apus::test::page_end room(256);
    const auto read = apus::codec::fields::read_credentials(room.place(value));
    return read ? std::string(read->scheme) + '|' + std::string(read->token) : "none";
}

}  // namespace

TEST_CASE("credentials: a scheme and a token") {
    const struct {
        std::string_view value, outcome;
    } rows[] = {
        {"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Basic|QWxhZGRpbjpvcGVuIHNlc2FtZQ=="},
        {"Bearer a-b.c_d~e+f/g", "Bearer|a-b.c_d~e+f/g"},
        {"Bearer   abc", "Bearer|abc"},
        {"Negotiate", "Negotiate|"},
        {"Bearer ", "Bearer|"},
        {"", "none"},
        {" Bearer abc", "none"},
        {"Bearer\tabc", "none"},
        {"Bearer abc def", "none"},
        {"Bearer abc ", "none"},
        {"Bearer abc,", "none"},
        {"Bearer =", "none"},
        {"Bearer a=b", "none"},
        {"Bearer a==b", "none"},
        {"Bearer \"abc\"", "none"},
        {"Bearer abc\xc3\xa4", "none"},
        {"Digest username=\"a\", realm=\"b\"", "none"},
        {"Bea(rer abc", "none"},
    };
    for (const auto& row : rows) CHECK_MESSAGE(seen(row.value) == row.outcome, row.value);
}
