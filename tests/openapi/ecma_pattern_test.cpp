// SPDX-License-Identifier: Apache-2.0
#include "openapi/ecma_pattern.hpp"

#include <doctest/doctest.h>

using apus::openapi::ecma_pattern;

TEST_CASE("patterns have the same meaning in a document") {
    const struct {
        const char *ours, *theirs;
    } cases[] = {
        {"a|b", "^(?:a|b)$"},
        {"\\d+", "^(?:[0-9]+)$"},
        {"[\\d_]\\w", "^(?:[0-9_][A-Za-z0-9_])$"},
        {"[^\\s]", "^(?:[^ \\t\\n\\v\\f\\r])$"},
        {".{2,}", "^(?:[\\s\\S]{2,})$"},
        {"a\\.b\\@", "^(?:a\\.b@)$"},
        {"[.@]", "^(?:[.@])$"},
        {"[]a]", "^(?:[\\]a])$"},
        {"[a-]", "^(?:[a\\-])$"},
        {"[a-c^]", "^(?:[a-c\\^])$"},
        {"[\\-\\]]", "^(?:[\\-\\]])$"},
        {"(a]|b})", "^(?:(a\\]|b\\}))$"},
    };
    for (const auto& [ours, theirs] : cases) CHECK(ecma_pattern(ours) == theirs);
}
