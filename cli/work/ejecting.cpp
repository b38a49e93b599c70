// SPDX-License-Identifier: Apache-2.0
#include "cli/work/ejecting.hpp"

#include <algorithm>

#include "cli/manifest/manifest.hpp"
#include "cli/system/files.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view line = "include(cmake/apus/apus_application.cmake)\n";

// The text of CMakeLists.txt with our line behind the one that finds Apus.
std::string with_own_functions(const std::string& text) {
    const std::size_t find = text.find("find_package(apus");
    if (text.contains(line)) return text;  // by one who was killed before the folder was there
    if (find == text.npos)
        throw errors::failure("E0309",
                              "CMakeLists.txt has no `find_package(apus)`, behind which the functions could be read");
    const std::size_t end = text.find('\n', find);
    return end == text.npos ? text + "\n" + std::string(line)
                            : text.substr(0, end + 1) + std::string(line) + text.substr(end + 1);
}

// The files of functions. What is named apus-config or apus_targets tells where the library is, which only the SDK
// knows.
std::vector<std::string> functions_in(const fs::path& sdk) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(sdk)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".cmake") && !name.starts_with("apus-config") && !name.starts_with("apus_targets"))
            names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
}

}  // namespace

void eject(terminal::shell& shell) {
    const manifest::manifest project = manifest::find();
    const fs::path own = project.folder / "cmake/apus", build_file = project.folder / "CMakeLists.txt";
    if (fs::exists(own))
        throw errors::failure("E0309",
                              "the project has its own functions of CMake already: there is a folder `cmake/apus`");
    const fs::path from = sdk_folder(project) / "lib/cmake/apus";
    if (!fs::exists(from / "apus_application.cmake"))
        throw errors::failure(
            "E0309", "there is no SDK whose functions could be written out",
            "`./apus install` in a checkout of Apus installs one; APUS_SDK names one that is elsewhere");
    const std::string text = with_own_functions(system::read_file(build_file));
    system::folder_in_the_making made(own);
    const std::vector<std::string> names = functions_in(from);
    for (const std::string& name : names) system::write_file(made.path() / name, system::read_file(from / name));
    system::replacements changed;
    changed.add(build_file, text);
    changed.adopt(made);  // behind the file, since a folder that is there is not made again
    changed.commit();
    for (const std::string& name : names) shell.event("Wrote", "cmake/apus/" + name);
    shell.event("Changed", "CMakeLists.txt, which reads them");
}

}  // namespace apus::cli::work
