// SPDX-License-Identifier: Apache-2.0
#include "cli/scaffold/project.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/scaffold/template.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"

namespace apus::cli::scaffold {

namespace {

namespace fs = std::filesystem;

std::string name_for(const project_options& options) {
    std::string name = options.name.empty() ? options.folder.filename().string() : options.name;
    if (std::string why; !manifest::is_project_name(name, why))
        throw errors::usage("E0102", "`" + name + "` is not a valid project name: it " + why,
                            "`--name NAME` sets a name that differs from the folder");
    return name;
}

std::vector<new_file> files_for(const project_options& options, std::string_view name) {
    std::vector<new_file> files = files_of(options.kind, name);
    std::ranges::move(files_of("every", name), std::back_inserter(files));
    if (options.vscode)
        for (new_file& file : files_of("vscode", name))
            files.push_back({".vscode" / file.path, std::move(file.content)});
    return files;
}

bool in_a_repository(fs::path folder) {
    std::error_code none;
    for (;; folder = folder.parent_path()) {
        if (fs::exists(folder / ".git", none)) return true;
        if (folder == folder.parent_path()) return false;
    }
}

void make_repository(const fs::path& folder) {
    system::run({.words = {"git", "init", "--quiet", "--initial-branch=main"}, .folder = folder});
}

// Returns the C++ sources directly in a folder, sorted.
std::vector<std::string> sources_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().extension() == ".cpp")
            names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

// Quotes a word for sh.
std::string shell_word(const std::string& text) {
    const auto plain = [](char c) {
        return base::is_letter(c) || base::is_digit(c) || std::string_view("/._-+~").contains(c);
    };
    if (std::ranges::all_of(text, plain)) return text;
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
    return word + "'";
}

// Quotes an argument for CMake, without variable references.
std::string cmake_argument(const std::string& text) {
    const auto plain = [](char c) {
        return base::is_letter(c) || base::is_digit(c) || std::string_view("/._-+").contains(c);
    };
    if (std::ranges::all_of(text, plain)) return text;
    std::string word = "\"";
    for (const char c : text) {
        if (std::string_view("\"\\$;").contains(c)) word += '\\';
        word += c;
    }
    return word + "\"";
}

std::string build_file_for(const fs::path& folder, const std::string& name) {
    std::string text =
        "cmake_minimum_required(VERSION 3.25)\nproject(" + name + " LANGUAGES CXX)\nfind_package(apus REQUIRED)\n\n";
    text += "apus_application(" + name;
    if (!fs::exists(folder / "src/main.cpp"))
        for (const std::string& source : sources_in(folder)) text += " " + cmake_argument(source);
    return text + ")\napus_tests()\n";
}

}  // namespace

void create(const project_options& options, terminal::shell& shell) {
    if (options.folder.empty()) throw errors::usage("E0102", "the path of the project is empty");
    const fs::path folder = fs::weakly_canonical(fs::absolute(options.folder / "").lexically_normal().parent_path());
    project_options named = options;
    named.folder = folder;
    const std::string name = name_for(named);
    std::error_code none;
    if (fs::exists(folder, none) && (!fs::is_directory(folder, none) || !fs::is_empty(folder, none)))
        throw errors::failure("E0207", "`" + options.folder.string() + "` exists and is not empty",
                              "choose another name, or run `apus init` in that folder to make it a project");
    const std::vector<new_file> files = files_for(options, name);
    system::staged_folder made(folder);
    for (const new_file& file : files) system::write_file(made.path() / file.path, file.content);
    if (options.git && system::has_program("git") && !in_a_repository(folder.parent_path()))
        make_repository(made.path());
    made.commit_into("apus.toml");
    shell.event("Created", "`" + name + "` from the template `" + std::string(options.kind) + "`");
    const std::string there =
        fs::equivalent(folder, fs::current_path(), none) ? "" : "cd " + shell_word(options.folder.string()) + " && ";
    shell.hint("`" + there + "apus " + (options.kind == "library" ? "test" : "dev") + "` builds it");
}

void adopt(const project_options& options, terminal::shell& shell) {
    const fs::path& folder = options.folder;
    if (fs::exists(folder / "apus.toml"))
        throw errors::failure("E0207", "this folder is already a project: it contains apus.toml",
                              "`apus build` builds it");
    const std::string name = name_for(options);
    const bool has_program = fs::exists(folder / "src/main.cpp") || !sources_in(folder).empty();
    std::vector<new_file> files = files_for(options, name);
    if (has_program)
        std::erase_if(
            files, [](const new_file& file) { return *file.path.begin() == "src" || *file.path.begin() == "tests"; });
    // These files are written last, since their presence marks a complete project. After an interruption, `apus init`
    // can therefore be repeated.
    for (const char* name_of_last : {"src/main.cpp", "apus.toml"}) {
        const auto last = std::ranges::find(files, name_of_last, &new_file::path);
        if (last != files.end()) std::rotate(last, last + 1, files.end());
    }
    const auto is_there = [&](const new_file& file) { return fs::exists(fs::symlink_status(folder / file.path)); };
    std::vector<std::pair<std::string_view, std::string>> done;
    system::replacements all;
    for (const new_file& file : files) {
        const bool kept = is_there(file), builds = has_program && file.path == "CMakeLists.txt";
        if (!kept) all.add(folder / file.path, builds ? build_file_for(folder, name) : file.content);
        done.emplace_back(kept ? "Kept" : "Wrote", file.path.string());
    }
    all.commit();
    for (const auto& [what, file] : done) shell.event(what, file);
    if (options.git && system::has_program("git") && !in_a_repository(folder)) make_repository(folder);
    shell.event("Created", "`" + name + "` in this folder");
}

}  // namespace apus::cli::scaffold
