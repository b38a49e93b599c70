// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/context.hpp"

namespace apus::markup {

/// Adds a text so that it is nothing but a text where `how` says it stands. Bytes that are no UTF-8
/// become U+FFFD. Linear in `text`; at most nine bytes are added for one.
void append_escaped(std::string& out, escape how, std::string_view text);

}  // namespace apus::markup
