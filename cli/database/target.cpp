// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>

#include "cli/database/database.hpp"
#include "cli/errors/failure.hpp"
#include "cli/manifest/manifest.hpp"

namespace apus::cli::database {

namespace {

// Converts a path in apus.toml to a path relative to the tool's working directory.
std::string from_project(const manifest::manifest& project, const std::string& path) {
    return (project.folder / path).lexically_proximate(std::filesystem::current_path()).string();
}

std::string url_of(const manifest::manifest& project) {
    const std::string& url = project.database.url;
    if (!url.starts_with("sqlite:") || url.starts_with("sqlite:/")) return url;
    return "sqlite:" + from_project(project, url.substr(7));
}

}  // namespace

std::string find_folder(std::optional<std::string_view> folder) {
    if (folder) return std::string(*folder);
    const auto project = manifest::find_if_any();
    return project ? from_project(*project, project->database.migrations) : "migrations";
}

target find_target(std::optional<std::string_view> url, std::optional<std::string_view> folder) {
    const char* const set = std::getenv("DATABASE_URL");
    target made{.url = std::string(url   ? *url
                                   : set ? std::string_view(set)
                                         : std::string_view()),
                .folder = find_folder(folder)};
    if (const auto project = manifest::find_if_any(); made.url.empty() && project) made.url = url_of(*project);
    if (made.url.empty())
        throw errors::failure("E0901", "no database: set `--url`, DATABASE_URL or `[database] url` in apus.toml",
                              "add to apus.toml: [database] url = \"sqlite:app.db\"");
    return made;
}

std::string shown_url(std::string_view url) {
    std::string made(url.substr(0, url.find('?')));
    const auto begin = made.find("://");
    if (begin == made.npos) return made;
    const auto at = made.rfind('@');
    const auto colon = made.find(':', begin + 3);
    if (at != made.npos && colon < at) made.erase(colon, at - colon);
    return made;
}

}  // namespace apus::cli::database
