// SPDX-License-Identifier: Apache-2.0
#include "cli/work/eject.hpp"

#include <algorithm>

#include "cli/manifest/manifest.hpp"
#include "cli/system/files.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view line = "include(cmake/apus/apus_application.cmake)\n";

// Returns the text of CMakeLists.txt with an include after the line that finds Apus.
std::string use_own_functions(const std::string& text) {
    const std::size_t find = text.find("find_package(apus");
    // The line is already present if an earlier process was killed before it created the folder.
    if (text.contains(line)) return text;
    if (find == text.npos)
        throw errors::failure(
            "E0309", "CMakeLists.txt does not call `find_package(apus)`; the functions are included after that call");
    const std::size_t end = text.find('\n', find);
    return end == text.npos ? text + "\n" + std::string(line)
                            : text.substr(0, end + 1) + std::string(line) + text.substr(end + 1);
}

// Returns the names of the files to copy. Omits apus-config and apus_targets, which locate the library in the SDK.
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

[[noreturn]] void refuse_second() {
    throw errors::failure("E0309", "the project already has its own CMake functions, in `cmake/apus`");
}

}  // namespace

void eject(terminal::shell& shell) {
    const manifest::manifest project = manifest::find();
    const fs::path own = project.folder / "cmake/apus", build_file = project.folder / "CMakeLists.txt";
    if (fs::exists(own)) refuse_second();
    const fs::path from = sdk_folder(project) / "lib/cmake/apus";
    if (!fs::exists(from / "apus_application.cmake"))
        throw errors::failure(
            "E0309", "no SDK found that contains the CMake functions",
            "`./apus install` in a checkout of Apus installs one; APUS_SDK selects an SDK in another folder");
    const std::string text = use_own_functions(system::read_file(build_file));
    system::staged_folder made(own);
    const std::vector<std::string> names = functions_in(from);
    for (const std::string& name : names) system::write_file(made.path() / name, system::read_file(from / name));
    system::replacements changed;
    changed.add(build_file, text);
    changed.adopt(made);  // last, so that an interrupted command can be repeated
    try {
        changed.commit();
    } catch (const errors::failure&) {
        if (fs::exists(own / "apus_application.cmake")) refuse_second();  // created by another process
        throw;
    }
    for (const std::string& name : names) shell.event("Wrote", "cmake/apus/" + name);
    shell.event("Changed", "CMakeLists.txt, which now includes these files");
}

}  // namespace apus::cli::work
