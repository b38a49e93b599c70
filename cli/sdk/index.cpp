// SPDX-License-Identifier: Apache-2.0
#include "cli/manifest/document.hpp"
#include "cli/sdk/package.hpp"

namespace apus::cli::sdk {

std::vector<offered> read_index(std::string_view text, const std::string& name) {
    const manifest::document whole(text, name);
    std::vector<offered> all;
    auto root = whole.root();
    for (auto& each : root.each("sdk")) {
        all.push_back({each.needed_text("name"), each.needed_text("file"), each.needed_text("sha256")});
        each.end();
        const std::string& file = all.back().file;
        if (file.empty() || file.contains('/') || file.contains('\0') || file.starts_with('.')) each.refuse("E0206", "file", "must be a file beside index.toml");
    }
    root.end();
    return all;
}

}  // namespace apus::cli::sdk
