// SPDX-License-Identifier: Apache-2.0
#include "cli/installation/cmake_package.hpp"

#include "cli/system/files.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::installation {

namespace fs = std::filesystem;

std::optional<fs::path> cmake_package(const fs::path& sdk) {
    std::error_code error;
    std::vector<fs::path> folders{sdk / "lib/cmake/apus"};
    for (fs::directory_iterator at(sdk / "lib", error), end; !error && at != end; at.increment(error))
        folders.push_back(at->path() / "cmake/apus");
    for (const fs::path& each : folders)
        if (std::error_code none; fs::exists(each / "apus-config.cmake", none)) return each;
    return std::nullopt;
}

std::vector<std::string> components_of(const fs::path& sdk) {
    constexpr std::string_view begin = "set(apus_installed_components ";
    const auto package = cmake_package(sdk);
    if (!package) return {};
    const std::string config = system::read_file(*package / "apus-config.cmake");
    const auto at = config.find(begin);
    if (at == std::string::npos) return {};
    const std::string_view rest = std::string_view(config).substr(at + begin.size());
    std::vector<std::string> list;
    for (const std::string_view each : text::split(rest.substr(0, rest.find(')')), ';')) list.emplace_back(each);
    return list;
}

}  // namespace apus::cli::installation
