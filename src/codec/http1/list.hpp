// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ascii.hpp"

#include <string_view>

namespace apus::codec::http1 {

/// Takes the next item, without the white space around it, off a list with commas whose items
/// hold no quoted strings (RFC 9110, 5.6.1). Items may be empty; recipients pass over those.
inline std::string_view next_of_list(std::string_view& list) noexcept {
    const auto comma = list.find(',');
    std::string_view item = list.substr(0, comma);
    list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
    while (!item.empty() && base::is_blank(item.front())) item.remove_prefix(1);
    while (!item.empty() && base::is_blank(item.back())) item.remove_suffix(1);
    return item;
}

}  // namespace apus::codec::http1
