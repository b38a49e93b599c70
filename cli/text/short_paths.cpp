// SPDX-License-Identifier: Apache-2.0
#include "cli/text/short_paths.hpp"

namespace apus::cli::text {

std::string with_short_paths(std::string_view text, const std::filesystem::path& folder) {
    const std::string prefix = folder.string() + "/";
    std::string made;
    for (std::size_t at; (at = text.find(prefix)) != text.npos; text.remove_prefix(at + prefix.size()))
        made += text.substr(0, at);
    return made.append(text);
}

}  // namespace apus::cli::text
