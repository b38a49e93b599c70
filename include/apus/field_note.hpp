// SPDX-License-Identifier: Apache-2.0
#pragma once

// Annotations for the fields of a struct. Schemas in general: schema.hpp.

#include <string_view>

namespace apus {

/// Annotation for a field of a struct.
/// A struct declares its annotations by a static member:
/// `static constexpr apus::field_note fields[] = {{.field = "class_", .name = "class"}};`
struct field_note {
    std::string_view field;             ///< Name in the struct; an unknown name does not compile.
    std::string_view name = {};         ///< External name. Empty: `field`.
    std::string_view description = {};  ///< For the API documentation.
    bool skip = false;                  ///< The field is neither read nor printed.
    /// Message to clients for a missing or invalid value. Empty: "found ..., expected ...".
    std::string_view message = {};
};

}  // namespace apus
