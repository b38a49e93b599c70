// SPDX-License-Identifier: Apache-2.0
#include "codec/json/json_value_access.hpp"
#include "codec/json/reader.hpp"

#include <algorithm>

namespace apus::codec::json {
namespace {

using members = std::vector<json_value::member>;

// Returns a duplicate name, or null. Sorts the names, because there may be many members.
const std::string* name_twice(const members& all) {
    std::vector<const std::string*> names;
    names.reserve(all.size());
    for (const auto& one : all) names.push_back(&one.name);
    std::sort(names.begin(), names.end(), [](auto* a, auto* b) { return *a < *b; });
    const auto twice = std::adjacent_find(names.begin(), names.end(), [](auto* a, auto* b) { return *a == *b; });
    return twice == names.end() ? nullptr : *twice;
}

}  // namespace

bool reader::any_number(json_value& to, const place& here) {
    const char* begin = at_;
    number_text number;
    if (!syntax::number(number, here)) return false;
    std::int64_t integer;
    std::uint64_t natural;
    double fraction;
    if (number.whole && to_integer(number, integer)) to = integer;
    else if (number.whole && to_natural(number, natural)) to = natural;
    else if (to_double(number, fraction)) to = fraction;
    else fault(here, std::string(begin, std::min(at_, begin + 40)), "a number that a double can hold");
    return true;
}

bool reader::any_list(json_value& to, const place& here) {
    bool empty = false;
    if (!enter(']', empty, here)) return false;
    to = json_value::list();
    auto& items = json_value_access::items(to);
    place item{.up = &here, .in_list = true};
    for (bool another = !empty; another; ++item.index)
        if (!any(items.emplace_back(), item) || !more(']', another, here)) return false;
    return true;
}

bool reader::any_object(json_value& to, const place& here) {
    bool empty = false;
    if (!enter('}', empty, here)) return false;
    to = json_value::object();
    members& all = json_value_access::members(to);
    for (bool another = !empty; another;) {
        std::string_view text;
        if (!name(text, here)) return false;
        all.push_back({std::string(text), {}});
        const std::string& kept = all.back().name;  // valid: no member is added to `all` while the value is read
        if (!any(all.back().value, place{.up = &here, .name = kept}) || !more('}', another, here)) return false;
    }
    if (all.size() < 2) return true;
    if (const std::string* twice = name_twice(all))
        fault(place{.up = &here, .name = *twice}, "a duplicate name", "distinct names");
    return true;
}

bool reader::any(json_value& to, const place& here) {
    std::string_view text;
    switch (next()) {
        case '"':
            if (!syntax::text(text, here)) return false;
            to = text;
            return true;
        case '[': return any_list(to, here);
        case '{': return any_object(to, here);
        case 't': to = true; return literal("true", here);
        case 'f': to = false; return literal("false", here);
        case 'n': to = nullptr; return literal("null", here);
        default: break;
    }
    if (next() != '-' && !base::is_digit(next())) return malformed("a value", here);
    return any_number(to, here);
}

}  // namespace apus::codec::json
