// SPDX-License-Identifier: Apache-2.0
#include "cli/work/project_rules.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/modules/source_facts.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/work/sources.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

bool is_within(const std::string& path, const std::string& folder) {
    return path == folder || path.starts_with(folder + "/");
}

// Returns the names by which a rule may refer to an include: the name as written, and the path of the project's file.
std::vector<std::string> meanings(const manifest::manifest& project, const std::string& source,
                                  const modules::inclusion& what) {
    std::vector<std::string> all{what.name};
    std::vector<fs::path> folders{"src", "include", ""};
    if (what.quoted) folders.insert(folders.begin(), fs::path(source).parent_path());
    for (const fs::path& folder : folders) {
        const fs::path file = (folder / what.name).lexically_normal();
        std::error_code none;
        if (!fs::is_regular_file(project.folder / file, none)) continue;
        all.push_back(file.string());
        break;
    }
    return all;
}

void look_at_includes(const manifest::manifest& project, const std::string& source, const std::string& text,
                      std::vector<std::string>& found) {
    for (const manifest::forbidden_includes& rule : project.check.forbidden) {
        if (!is_within(source, rule.folder)) continue;
        for (const modules::inclusion& each : modules::read_source(text).inclusions)
            for (const std::string& name : rule.names)
                if (std::ranges::any_of(meanings(project, source, each),
                                        [&](const std::string& path) { return is_within(path, name); }))
                    found.push_back(std::string(source)
                                        .append(":")
                                        .append(std::to_string(each.line))
                                        .append(": includes `")
                                        .append(each.name)
                                        .append("`, but `check.forbidden` excludes `")
                                        .append(name)
                                        .append("` from `")
                                        .append(rule.folder)
                                        .append("`"));
    }
}

}  // namespace

std::vector<std::string> broken_rules(const manifest::manifest& project) {
    std::vector<std::string> found;
    for (const std::string& source : sources_of(project)) {
        const std::string text = system::read_file(project.folder / source);
        if (const auto lines = std::ranges::count(text, '\n'); project.check.lines && lines > project.check.lines)
            found.push_back(source + ":" + std::to_string(project.check.lines + 1) + ": has " + std::to_string(lines) +
                            " lines, but `check.lines` allows " + std::to_string(project.check.lines));
        look_at_includes(project, source, text, found);
    }
    for (const std::string& command : project.check.commands) {
        const system::outcome ended = system::run({.words = {"sh", "-c", command}, .folder = project.folder});
        if (ended.ok()) continue;
        const std::string said = ended.out + ended.error;
        found.push_back("`" + command + "` failed with status " + std::to_string(ended.status) +
                        (said.empty() ? "" : ":\n" + said.substr(0, said.find_last_not_of('\n') + 1)));
    }
    return found;
}

}  // namespace apus::cli::work
