// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::cli::text {

/// "1 answer", "2 answers".
std::string counted(std::uint64_t count, std::string_view what);

}  // namespace apus::cli::text
