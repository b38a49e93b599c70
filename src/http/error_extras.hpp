// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/error.hpp>

#include <string>
#include <utility>
#include <vector>

namespace apus::detail {

struct error_extras {
    std::string type;
    std::string title;
    std::string cause;
    std::string field_lines;                                   ///< Lines "name: value\r\n".
    std::vector<std::pair<std::string, std::string>> members;  ///< Name and JSON text, in the order added.
};

}  // namespace apus::detail
