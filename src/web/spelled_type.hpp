// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::web {

/// The name of T in what `apus::detail::spell<T>` gives: from "T = " to the bracket or semicolon behind it.
inline std::string type_in(std::string_view spelled) {
    const std::size_t at = spelled.find("T = ");
    if (at == spelled.npos) return std::string(spelled);
    spelled.remove_prefix(at + 4);
    return std::string(spelled.substr(0, spelled.find_first_of(";]")));
}

}  // namespace apus::web
