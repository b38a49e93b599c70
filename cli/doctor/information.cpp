// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/information.hpp"

#include <algorithm>

#include <sys/stat.h>

#include <apus/json.hpp>

#include "cli/errors/failure.hpp"
#include "cli/installation/store.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/system/paths.hpp"

namespace apus::cli::doctor {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& at) {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& each : fs::directory_iterator(at, none)) {
        if (each.is_directory(none) && !each.is_symlink(none)) found.push_back(each.path());
    }
    std::ranges::sort(found);
    return found;
}

void add_project(information& to) {
    std::error_code none;
    for (fs::path at = fs::current_path(none); !at.empty(); at = at.parent_path()) {
        if (fs::exists(at / "apus.toml", none)) {
            const manifest::manifest read = manifest::read(at / "apus.toml");
            to.project = read.project.name + " " + read.project.version;
            if (read.sdk.version) to.project_sdk = *read.sdk.version + (read.sdk.profile ? " " + *read.sdk.profile : "");
            return;
        }
        if (at == at.root_path()) return;
    }
}

std::string megabytes(std::uint64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB"; }

void add_line(std::string& to, std::string_view head, std::string_view text) {
    std::string name(head);
    name.resize(10, ' ');
    to += name + std::string(text) + "\n";
}

}  // namespace

information inform(std::string_view version) {
    information made{.version = std::string(version), .program = system::own_program(), .shared = system::shared_folder(), .data = system::data_folder().lexically_normal(), .cache = system::cache_folder().lexically_normal()};
    add_project(made);
    for (const fs::path& at : installation::stores()) {
        for (const fs::path& each : folders_in(at)) made.sdks.push_back(each);
        std::error_code none;
        const fs::path current = fs::canonical(at / "current", none);
        if (!none && !made.current_sdk) made.current_sdk = current;
    }
    for (const fs::path& each : folders_in(made.cache)) made.caches.push_back({each.filename(), size_of_tree(each)});
    return made;
}

std::uint64_t size_of_tree(const fs::path& at) {
    std::uint64_t bytes = 0;
    std::error_code none;
    for (const auto& file : fs::recursive_directory_iterator(at, fs::directory_options::skip_permission_denied, none)) {
        struct stat info{};
        if (lstat(file.path().c_str(), &info) == 0 && !S_ISDIR(info.st_mode)) bytes += static_cast<std::uint64_t>(info.st_blocks) * 512;
    }
    return bytes;
}

std::string text_of(const information& of) {
    std::string made;
    add_line(made, "version", of.version);
    add_line(made, "program", of.program);
    add_line(made, "shared", of.shared);
    add_line(made, "data", of.data);
    add_line(made, "cache", of.cache);
    for (const auto& each : of.caches) add_line(made, "", each.name + ": " + megabytes(each.bytes));
    if (of.sdks.empty()) add_line(made, "sdk", "none is installed");
    for (const std::string& each : of.sdks) add_line(made, "sdk", each + (each == of.current_sdk ? ", in use" : ""));
    if (of.project) add_line(made, "project", *of.project + (of.project_sdk ? ", built with SDK " + *of.project_sdk : ""));
    return made;
}

std::string json_of(const information& of) { return apus::to_json(of) + "\n"; }

}  // namespace apus::cli::doctor
