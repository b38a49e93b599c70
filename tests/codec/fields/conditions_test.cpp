// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/conditions.hpp"

#include <doctest/doctest.h>

using namespace apus::codec::fields;

namespace {

constexpr std::int64_t now = 1'792'000'000;
constexpr std::int64_t changed = 784'111'777;  // in seconds since 1970: Sun, 06 Nov 1994 08:49:37 GMT
constexpr std::string_view before = "Sun, 06 Nov 1994 08:49:36 GMT";
constexpr std::string_view then = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr std::string_view later = "Sun, 06 Nov 1994 08:49:38 GMT";
constexpr std::string_view absent{};
constexpr entity_tag strong{"v", false};
constexpr entity_tag weak{"v", true};

// A field value and the expected results for the tag "v", modified at `changed`.
struct condition {
    std::string_view value;
    enum says : unsigned char {
        nothing,
        true_,
        false_
    } of_strong, of_weak;
};
using enum condition::says;

constexpr condition matches[] = {
    {absent, nothing, nothing},     {R"("v")", true_, false_}, {R"(W/"v")", false_, false_}, {R"("u")", false_, false_},
    {R"("u", "v")", true_, false_}, {"*", true_, true_},       {"", false_, false_},         {"junk", false_, false_},
};
constexpr condition none_matches[] = {
    {absent, nothing, nothing}, {R"("v")", false_, false_}, {R"(W/"v")", false_, false_}, {R"("u")", true_, true_},
    {"*", false_, false_},      {"", true_, true_},         {"junk", true_, true_},
};
constexpr condition unmodified[] = {
    {absent, nothing, nothing}, {before, false_, false_},   {then, true_, true_},
    {later, true_, true_},      {"junk", nothing, nothing},
};
constexpr condition modified[] = {
    {absent, nothing, nothing}, {before, true_, true_},     {then, false_, false_},
    {later, false_, false_},    {"junk", nothing, nothing},
};

// The algorithm of RFC 9110, 13.2.2, step by step.
verdict expected(condition::says match, condition::says unmod, condition::says none, condition::says mod, bool reads) {
    if (match != nothing) {
        if (match == false_) return verdict::precondition_failed;
    } else if (unmod == false_) {
        return verdict::precondition_failed;
    }
    if (none != nothing) {
        if (none == false_) return reads ? verdict::not_modified : verdict::precondition_failed;
    } else if (reads && mod == false_) {
        return verdict::not_modified;
    }
    return verdict::go_on;
}

}  // namespace

TEST_CASE("conditions are evaluated in the order of RFC 9110, for every combination") {
    unsigned combinations = 0;
    for (const auto& match : matches)
        for (const auto& unmod : unmodified)
            for (const auto& none : none_matches)
                for (const auto& mod : modified)
                    for (const bool reads : {true, false})
                        for (const bool is_strong : {true, false}) {
                            const auto of = [&](const condition& c) { return is_strong ? c.of_strong : c.of_weak; };
                            // An empty field differs from an absent one.
                            const conditions asked{match.value, none.value, mod.value, unmod.value, absent};
                            const current_validators current{true, is_strong ? strong : weak, changed, true};
                            CAPTURE(match.value);
                            CAPTURE(none.value);
                            CAPTURE(mod.value);
                            CAPTURE(unmod.value);
                            CAPTURE(reads);
                            CHECK(evaluate(asked, current, reads, now) ==
                                  expected(of(match), of(unmod), of(none), of(mod), reads));
                            ++combinations;
                        }
    CHECK(combinations == 8 * 5 * 7 * 5 * 2 * 2);
}

TEST_CASE("conditions without a representation, or with partial validators") {
    constexpr current_validators nothing_there{.exists = false};
    constexpr current_validators unknown{};
    constexpr current_validators only_dated{.modified = changed};
    struct row {
        conditions asked;
        current_validators current;
        bool reads;
        verdict gives;
    };
    using enum verdict;
    const row rows[] = {
        {{.if_match = "*"}, nothing_there, false, precondition_failed},
        {{.if_none_match = "*"}, nothing_there, false, go_on},
        {{.if_match = "*"}, unknown, false, go_on},
        {{.if_none_match = "*"}, unknown, false, precondition_failed},
        {{.if_none_match = "*"}, unknown, true, not_modified},
        {{.if_match = R"("v")"}, unknown, false, precondition_failed},
        {{.if_none_match = R"("v")"}, unknown, true, go_on},
        {{.if_unmodified_since = before}, unknown, false, go_on},
        {{.if_modified_since = later}, unknown, true, go_on},
        {{.if_modified_since = later}, only_dated, true, not_modified},
        {{.if_modified_since = later}, only_dated, false, go_on},
        {{.if_unmodified_since = before}, only_dated, false, precondition_failed},
        {{.if_none_match = R"("v")", .if_modified_since = later}, only_dated, true, go_on},
    };
    for (const auto& row : rows) {
        CAPTURE(&row - rows);
        CHECK(evaluate(row.asked, row.current, row.reads, now) == row.gives);
    }
}

TEST_CASE("If-Range requires a strong match") {
    struct row {
        std::string_view if_range;
        current_validators current;
        bool counts;
    };
    const row rows[] = {
        {absent, {}, true},
        {R"("v")", {true, strong, changed, true}, true},
        {R"("v")", {true, weak, changed, true}, false},
        {R"(W/"v")", {true, strong, changed, true}, false},
        {R"("u")", {true, strong, changed, true}, false},
        {R"("v")", {}, false},
        {then, {true, strong, changed, true}, true},
        {then, {true, strong, changed, false}, false},
        {before, {true, strong, changed, true}, false},
        {later, {true, strong, changed, true}, false},
        {then, {}, false},
        {"", {true, strong, changed, true}, false},
        {"junk", {true, strong, changed, true}, false},
        {"*", {true, strong, changed, true}, false},
        {R"("v", "u")", {true, strong, changed, true}, false},
    };
    for (const auto& row : rows) {
        CAPTURE(row.if_range);
        CHECK(range_counts(row.if_range, row.current, now) == row.counts);
    }
}
