// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/context.hpp"

#include <string_view>

namespace apus::markup {

/// Returns the kind of an element. The name is in lower case.
element kind_of_element(std::string_view tag) noexcept;

/// Returns the kind of an attribute. Names are in lower case; unknown attributes are plain.
attribute kind_of_attribute(std::string_view tag, std::string_view name) noexcept;

/// Whether the content of a script of this type is JavaScript or JSON.
bool is_script_type(std::string_view type) noexcept;

}  // namespace apus::markup
