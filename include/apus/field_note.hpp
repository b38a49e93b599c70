// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a struct says of its fields beside their names and types; schema.hpp tells the rest.

#include <string_view>

namespace apus {

/// What a struct may say of one of its fields, in a member
/// `static constexpr apus::field_note fields[] = {{.field = "class_", .name = "class"}};`
struct field_note {
    std::string_view field;             ///< Its name in the struct. One that it has not does not compile.
    std::string_view name = {};         ///< Its name outside. Empty: the same.
    std::string_view description = {};  ///< For those who read the API's documentation.
    bool skip = false;                  ///< It is neither read nor printed.
};

}  // namespace apus
