// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/information.hpp"

#include <algorithm>
#include <cstdlib>

#include <apus/json.hpp>

#include "cli/errors/failure.hpp"
#include "cli/installation/store.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/system/files.hpp"
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
    const auto read = manifest::find_if_any();
    if (!read) return;
    to.project = read->project.name + " " + read->project.version;
    if (read->sdk.version) to.project_sdk = *read->sdk.version + (read->sdk.profile ? " " + *read->sdk.profile : "");
}

std::string megabytes(std::uint64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB"; }

void add_line(std::string& to, std::string_view head, std::string_view text) {
    std::string name(head);
    name.resize(10, ' ');
    to += name + std::string(text) + "\n";
}

}  // namespace

information collect_information(std::string_view version) {
    information made{.version = std::string(version),
                     .program = system::own_program(),
                     .shared = system::shared_folder(),
                     .data = system::data_folder().lexically_normal(),
                     .cache = system::cache_folder().lexically_normal()};
    add_project(made);
    if (const char* named = std::getenv("APUS_SDK"); named && *named) made.named_sdk = named;
    for (const installation::sdk& each : installation::installed()) {
        made.sdks.push_back(each.folder);
        if (each.in_use && !made.current_sdk) made.current_sdk = each.folder;
    }
    for (const fs::path& each : folders_in(made.cache))
        made.caches.push_back({each.filename(), system::disk_usage(each)});
    return made;
}

std::string text_of(const information& of) {
    std::string made;
    add_line(made, "version", of.version);
    add_line(made, "program", of.program);
    add_line(made, "shared", of.shared + ": templates and library data");
    add_line(made, "data", of.data);
    add_line(made, "cache", of.cache);
    for (const auto& each : of.caches) add_line(made, "", each.name + ": " + megabytes(each.bytes));
    if (of.named_sdk) add_line(made, "sdk", *of.named_sdk + ", selected by APUS_SDK for all projects");
    else if (of.sdks.empty())
        add_line(made, "sdk", "no SDK is installed; `./apus install` in a checkout of Apus installs one");
    for (const std::string& each : of.sdks) add_line(made, "sdk", each + (each == of.current_sdk ? ", in use" : ""));
    if (of.project)
        add_line(made, "project", *of.project + (of.project_sdk ? ", built with SDK " + *of.project_sdk : ""));
    return made;
}

std::string json_of(const information& of) { return apus::to_json(of) + "\n"; }

}  // namespace apus::cli::doctor
