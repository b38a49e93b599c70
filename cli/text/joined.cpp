// SPDX-License-Identifier: Apache-2.0
#include "cli/text/joined.hpp"

namespace apus::cli::text {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (const std::string& part : parts) text.append(&part == &parts.front() ? "" : between).append(part);
    return text;
}

}  // namespace apus::cli::text
