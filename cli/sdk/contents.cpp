// SPDX-License-Identifier: Apache-2.0
#include "cli/sdk/contents.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "cli/dependencies/system_packages.hpp"
#include "cli/errors/failure.hpp"
#include "cli/installation/cmake_package.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::sdk {

namespace {

namespace fs = std::filesystem;

constexpr const char* sums_name = "SHA256SUMS";

std::vector<std::string_view> words(std::string_view line) {
    auto list = text::split(line, ' ');
    std::erase_if(list, [](std::string_view word) { return word.empty(); });
    return list;
}

std::vector<std::string> libraries_in(const fs::path& folder) {
    std::vector<std::string> list;
    for (const char* each : {"libapus.a", "libapus.so"})
        if (std::error_code none; fs::exists(folder / each, none)) list.emplace_back(each);
    return list;
}

struct listing {
    std::vector<std::string> files{};  // includes links to files
    std::vector<std::string> disallowed{};
};

listing listed(const fs::path& folder) {
    listing found;
    std::error_code none;
    const std::string top = (fs::canonical(folder) / "").string();
    for (const auto& each : fs::recursive_directory_iterator(folder)) {
        if (!each.is_symlink(none) && each.is_directory(none)) continue;
        const bool inside = !each.is_symlink(none) || (fs::read_symlink(each.path(), none).is_relative() &&
                                                       fs::canonical(each.path(), none).string().starts_with(top));
        auto& list = each.is_regular_file(none) && inside ? found.files : found.disallowed;
        if (each.path() != folder / sums_name) list.push_back(each.path().lexically_relative(folder).string());
    }
    std::ranges::sort(found.files);
    std::ranges::sort(found.disallowed);
    return found;
}

void put_sums(std::map<std::string, std::string>& sums, std::string_view lines) {
    for (const std::string_view line : text::split(lines, '\n'))
        if (line.size() > 66) sums.emplace(line.substr(66), line.substr(0, 64));
}

std::map<std::string, std::string> sums_of(const fs::path& folder, const std::vector<std::string>& files) {
    constexpr std::size_t files_per_command = 500;  // keeps the command line below the kernel's limit
    std::map<std::string, std::string> sums;
    for (std::size_t i = 0; i < files.size(); i += files_per_command) {
        std::vector<std::string> command{"sha256sum", "--"};
        command.insert(command.end(), files.begin() + static_cast<std::ptrdiff_t>(i),
                       files.begin() + static_cast<std::ptrdiff_t>(std::min(files.size(), i + files_per_command)));
        const auto said = system::run({.words = command, .folder = folder});
        if (!said.ok())
            throw errors::failure("E0103", "cannot read a file of `" + folder.string() + "`: " + said.error);
        put_sums(sums, said.out);
    }
    return sums;
}

}  // namespace

contents contents_of(const fs::path& folder) {
    const auto package = installation::cmake_package(folder);
    if (!package)
        throw errors::failure("E0501",
                              "`" + folder.string() + "` is not an Apus SDK: missing lib/cmake/apus/apus-config.cmake");
    contents found{.components = installation::components_of(folder),
                   .packages = {},
                   .libraries = libraries_in(package->parent_path().parent_path())};
    std::set<std::string> packages;
    const std::string table = system::read_file(*package / "components.txt");
    for (const std::string_view line : text::split(table, '\n')) {
        const auto columns = text::split(line, '|');
        if (columns.size() < 4 || words(columns[0]).empty()) continue;
        if (std::ranges::find(found.components, words(columns[0])[0]) == found.components.end()) continue;
        for (const std::string_view name : words(columns[3])) {
            if (!dependencies::is_package_name(name))
                throw errors::failure("E0501", "`" + folder.string() +
                                                   "` is not an Apus SDK: its components.txt requires `" +
                                                   std::string(name) + "`, which is not a valid package name");
            packages.emplace(name);
        }
    }
    found.packages.assign(packages.begin(), packages.end());
    return found;
}

std::vector<std::string> disallowed_entries(const fs::path& folder) { return listed(folder).disallowed; }

void write_sums(const fs::path& folder) {
    std::string text;
    for (const auto& [file, sum] : sums_of(folder, listed(folder).files))
        text.append(sum).append("  ").append(file).append("\n");
    system::replace_file(folder / sums_name, text);
    // Independent of the umask, since other users must be able to read an SDK that root has installed.
    fs::permissions(folder / sums_name, fs::perms(0644));
}

std::vector<std::string> changed_files(const fs::path& folder) {
    std::error_code none;
    if (!fs::exists(folder / sums_name, none))
        throw errors::failure("E0503", "`" + folder.string() + "` has no " + sums_name + " to verify it with",
                              "install the SDK again with `./apus install` or `apus sdk install`");
    std::map<std::string, std::string> written;
    put_sums(written, system::read_file(folder / sums_name));
    std::vector<std::string> list;
    const listing there = listed(folder);
    const auto now = sums_of(folder, there.files);
    for (const auto& [file, sum] : written)
        if (const auto at = now.find(file); at == now.end()) list.push_back(file + " is missing");
        else if (at->second != sum) list.push_back(file + " has changed");
    for (const auto& [file, sum] : now)
        if (!written.contains(file)) list.push_back(file + " is an unknown file");
    for (const std::string& stray : there.disallowed)
        list.push_back(stray + " must be a file, a folder or a link to a file of the SDK");
    return list;
}

}  // namespace apus::cli::sdk
