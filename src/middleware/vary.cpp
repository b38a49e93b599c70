// SPDX-License-Identifier: Apache-2.0
#include "middleware/vary.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"
#include "http/field_lines.hpp"

#include <string>

namespace apus::middleware {

bool lists(std::string_view field, std::string_view word) noexcept {
    while (!field.empty())
        if (base::equal_ignoring_case(codec::fields::next_of_list(field), word)) return true;
    return false;
}

std::string whole_field(const response& res, std::string_view name) {
    std::string all;
    for (std::size_t at = 0; at < res.field_lines().size();) {
        const auto line = http::split_line(res.field_lines(), at);
        if (base::equal_ignoring_case(line.name, name)) all.append(all.empty() ? "" : ", ").append(line.value);
        at = line.next;
    }
    return all;
}

void vary(response& res, std::string_view field) {
    const std::string there = whole_field(res, "vary");
    if (lists(there, "*") || lists(there, field)) return;
    const std::string both = there.empty() ? std::string(field) : there + ", " + std::string(field);
    res.remove_header("vary").header("vary", both);
}

}  // namespace apus::middleware
