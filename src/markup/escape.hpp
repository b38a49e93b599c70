// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/context.hpp"

namespace apus::markup {

/// Appends a text, escaped for its context `how`. Invalid UTF-8 becomes U+FFFD.
/// Linear in `text`; at most nine bytes are added per byte.
void append_escaped(std::string& out, escape how, std::string_view text);

}  // namespace apus::markup
