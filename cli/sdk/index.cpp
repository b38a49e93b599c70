// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/manifest/dependencies.hpp"
#include "cli/manifest/document.hpp"
#include "cli/sdk/mirror.hpp"

namespace apus::cli::sdk {

std::vector<mirror_entry> read_index(std::string_view text, const std::string& name) {
    const manifest::document whole(text, name);
    std::vector<mirror_entry> all;
    auto root = whole.root();
    for (auto& each : root.each("sdk")) {
        all.push_back({each.needed_text("name"), each.needed_text("file"), each.needed_text("sha256")});
        each.end();
        const std::string& file = all.back().file;
        if (!manifest::is_dependency_name(all.back().name)) each.refuse("E0206", "name", "is not a valid SDK name");
        if (file.empty() || file.contains('/') ||
            std::ranges::any_of(file, [](char c) { return static_cast<unsigned char>(c) < 0x20; }) ||
            file.starts_with('.'))
            each.refuse("E0206", "file", "must be a file in the folder of index.toml");
    }
    root.end();
    return all;
}

}  // namespace apus::cli::sdk
