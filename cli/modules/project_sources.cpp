// SPDX-License-Identifier: Apache-2.0
#include "cli/modules/project_sources.hpp"

#include <algorithm>

#include "cli/system/files.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::modules {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path& root, const fs::path& folder, std::string_view endings) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& each :
         fs::recursive_directory_iterator(root / folder, fs::directory_options::skip_permission_denied, error)) {
        system::throw_if_interrupted();
        const std::string ending = "|" + each.path().extension().string() + "|";
        if (endings.contains(ending) && each.is_regular_file(error))
            found.push_back(each.path().lexically_relative(root));
    }
    std::ranges::sort(found);
    return found;
}

place place_of(const fs::path& file) {
    const std::vector<fs::path> parts(file.begin(), file.end());
    const bool of_module = parts.size() > 2 && parts[0] == "modules";
    const fs::path& folder = of_module ? parts[2] : parts.front();
    const auto area = folder == "include" ? place::is::open : folder == "tests" ? place::is::tests : place::is::closed;
    return {of_module ? parts[1].string() : std::string(), area};
}

std::vector<project_source> read_sources(const fs::path& root, const std::vector<app_module>& all) {
    std::vector<project_source> sources;
    auto add = [&](const fs::path& folder) {
        for (const fs::path& file : files_below(root, folder, source_endings))
            sources.push_back({file, place_of(file), read_source(system::read_file(root / file))});
    };
    add("src"), add("tests");
    for (const app_module& each : all)
        for (const char* folder : {"include", "src", "tests"}) add(each.folder / folder);
    return sources;
}

}  // namespace apus::cli::modules
