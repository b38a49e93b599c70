// SPDX-License-Identifier: Apache-2.0
#include "middleware/vary.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"

namespace apus::middleware {

bool lists(std::string_view field, std::string_view word) noexcept {
    while (!field.empty())
        if (base::equal_ignoring_case(codec::fields::next_of_list(field), word)) return true;
    return false;
}

void vary(response& res, std::string_view field) {
    const std::string_view there = res.header("vary");
    if (there.empty()) return void(res.header("vary", field));
    if (there == "*" || lists(there, field)) return;
    const std::string both = std::string(there).append(", ").append(field);
    res.remove_header("vary").header("vary", both);
}

}  // namespace apus::middleware
