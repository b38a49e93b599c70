// SPDX-License-Identifier: Apache-2.0
#include "cli/text/counted.hpp"

namespace apus::cli::text {

std::string counted(std::uint64_t count, std::string_view what) {
    return (std::to_string(count) + " ").append(what).append(count == 1 ? "" : "s");
}

}  // namespace apus::cli::text
