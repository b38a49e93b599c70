// SPDX-License-Identifier: Apache-2.0
#include "http/list_fields.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"
#include "http/field_lines.hpp"

#include <string>
#include <utility>

namespace apus::http {
namespace {

// Joins the lines of a field. An empty first line counts as an item too, so that messages with different lines have
// different joined values.
struct combined_field {
    std::string text;
    bool begun = false;

    void add(std::string_view line) {
        if (std::exchange(begun, true)) text += ", ";
        text += line;
    }
};

}  // namespace

bool lists(std::string_view field, std::string_view word) noexcept {
    while (!field.empty())
        if (base::equal_ignoring_case(codec::fields::next_of_list(field), word)) return true;
    return false;
}

std::string whole_field(const request& req, std::string_view name) {
    combined_field all;
    for (std::size_t i = 0; i < req.header_count(); ++i) {
        const field_view line = req.header_at(i);
        if (base::equal_ignoring_case(line.name, name)) all.add(line.value);
    }
    return all.text;
}

std::string whole_field(const response& res, std::string_view name) {
    combined_field all;
    for (std::size_t at = 0; at < res.field_lines().size();) {
        const auto line = split_line(res.field_lines(), at);
        if (base::equal_ignoring_case(line.name, name)) all.add(line.value);
        at = line.next;
    }
    return all.text;
}

void vary(response& res, std::string_view field) {
    const std::string there = whole_field(res, "vary");
    if (lists(there, "*") || lists(there, field)) return;
    const std::string both = there.empty() ? std::string(field) : there + ", " + std::string(field);
    res.remove_header("vary").header("vary", both);
}

}  // namespace apus::http
