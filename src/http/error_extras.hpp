// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/error.hpp>

#include <memory>
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
    std::shared_ptr<const void> facts = {};                    ///< Data of the error's creator; never sent.
    const void* facts_type = nullptr;                          ///< Address of a `type_key` (apus/http.hpp).
};

/// Returns the extras of an error. Creates them if they are missing.
error_extras& extras_of(error&);

}  // namespace apus::detail
