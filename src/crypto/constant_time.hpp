// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::crypto {

/// Whether both are the same bytes, in a time that does not tell where they differ. It may tell
/// that their sizes do: compare digests where the size is a secret too.
bool same_secret(std::string_view a, std::string_view b) noexcept;

}  // namespace apus::crypto
