// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::web {

/// Extracts the name of T from `apus::detail::spell<T>`.
/// The name extends from "T = " to the closing bracket or semicolon.
inline std::string type_in(std::string_view spelled) {
    const std::size_t at = spelled.find("T = ");
    if (at == spelled.npos) return std::string(spelled);
    spelled.remove_prefix(at + 4);
    return std::string(spelled.substr(0, spelled.find_first_of(";]")));
}

}  // namespace apus::web
