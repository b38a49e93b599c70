// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::crypto {

/// Whether both texts are equal, in a time that does not depend on their contents.
/// The time may depend on their sizes: if the size is secret, compare digests instead.
bool same_secret(std::string_view a, std::string_view b) noexcept;

}  // namespace apus::crypto
