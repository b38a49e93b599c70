// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/idempotency_key.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::codec::fields::read_idempotency_key;

TEST_CASE("idempotency keys: Strings, and texts without quotes") {
    struct row {
        std::string value, key;  // an empty key: invalid
    };
    const std::string longest(255, 'k');
    const row rows[] = {
        {"\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", "8e03978e-40d5-43dd-bc93-6894a57f9324"},
        {"8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"},
        {"\"a b, c; d\"", "a b, c; d"},
        {R"("a\"b\\")", R"(a\"b\\)"},
        {"x", "x"},
        {longest, longest},
        {'"' + longest + '"', longest},
        {"", ""},
        {"\"\"", ""},
        {"\"", ""},
        {longest + "k", ""},
        {'"' + longest + "k\"", ""},
        {"\"a", ""},
        {"a\"", ""},
        {"\"a\"b\"", ""},
        {R"("a\")", ""},
        {R"("a\x")", ""},
        {R"(a\b)", ""},
        {"\"a\";p=1", ""},
        {"a b", ""},
        {"a,b", ""},
        {"a;b", ""},
        {"\"a\tb\"", ""},
        {"\"\xc3\xa4\"", ""},
        {std::string("a\0b", 3), ""},
    };
    for (const auto& [value, key] : rows) {
        CAPTURE(value);
        CHECK(read_idempotency_key(value).value_or("") == key);
    }
}
