// SPDX-License-Identifier: Apache-2.0
#include "cli/work/sources.hpp"

#include <algorithm>

#include "cli/errors/failure.hpp"
#include "cli/system/process.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

bool is_cpp(const fs::path& path) {
    const fs::path extension = path.extension();
    return extension == ".cpp" || extension == ".hpp" || extension == ".h";
}

}  // namespace

std::vector<std::string> sources_of(const manifest::manifest& project) {
    std::vector<std::string> files;
    const auto add = [&](const fs::directory_entry& entry) {
        if (entry.is_regular_file() && is_cpp(entry.path()))
            files.push_back(entry.path().lexically_relative(project.folder).string());
    };
    for (const auto& entry : fs::directory_iterator(project.folder)) add(entry);
    std::error_code none;
    for (const char* folder : {"src", "include", "tests", "modules", "examples"})
        for (const auto& entry : fs::recursive_directory_iterator(project.folder / folder, none)) add(entry);
    std::ranges::sort(files);
    return files;
}

std::vector<std::string> changed_sources_of(const manifest::manifest& project) {
    std::vector<std::string> files = sources_of(project);
    if (!system::has_program("git")) return files;
    const system::outcome status =
        system::run({.words = {"git", "status", "--porcelain=1", "-z", "--untracked-files=all", "--no-renames", "."},
                     .folder = project.folder});
    const system::outcome prefix =
        system::run({.words = {"git", "rev-parse", "--show-prefix"}, .folder = project.folder});
    if (!status.ok() || !prefix.ok()) return files;
    const std::string below = prefix.out.substr(0, prefix.out.find('\n'));
    std::vector<std::string> changed;
    for (std::string_view line : text::split(status.out, '\0'))
        if (line.size() > 3 + below.size()) changed.emplace_back(line.substr(3 + below.size()));
    std::erase_if(files, [&](const std::string& file) { return std::ranges::find(changed, file) == changed.end(); });
    return files;
}

std::string llvm_program(const std::string& name) {
    std::string versioned = name + "-19";
    if (system::has_program(versioned)) return versioned;
    if (system::has_program(name) && system::run({.words = {name, "--version"}}).out.contains("version 19."))
        return name;
    throw system::no_program(versioned);
}

}  // namespace apus::cli::work
