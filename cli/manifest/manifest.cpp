// SPDX-License-Identifier: Apache-2.0
#include "cli/manifest/manifest.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/text/lists.hpp"
#include "cli/text/reserved_names.hpp"

namespace apus::cli::manifest {

namespace {

project_table read_project(table&& from) {
    project_table made{.name = from.needed_text("name")};
    std::string why;
    if (!is_project_name(made.name, why)) from.refuse("E0206", "name", why);
    put(made.version, from.line("version"));
    put(made.standard, from.integer("standard", 23, 26));
    put(made.description, from.text("description"));
    put(made.license, from.line("license"));
    put(made.homepage, from.line("homepage"));
    put(made.authors, from.texts("authors"));
    for (const std::string& author : made.authors)
        if (author.find_first_of("\n\r") != author.npos)
            from.refuse("E0206", "authors", "contains an author with a line break");
    from.end();
    return made;
}

// Returns true for a valid name of a profile or component. These names become part of folder names and command lines.
bool is_part_name(std::string_view name) {
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || base::is_digit(c) || c == '-' || c == '_'; };
    return !name.empty() && name[0] >= 'a' && name[0] <= 'z' && std::ranges::all_of(name, fits);
}

std::vector<sdk_profile> read_profiles(table&& from) {
    constexpr std::string_view of_apus = "minimal|web|data|realtime|full";
    std::vector<sdk_profile> made;
    for (const std::string& name : from.keys()) {
        if (!is_part_name(name))
            from.refuse("E0206", name,
                        "must begin with a letter and contain only lower-case letters, digits, `-` and `_`");
        if (text::is_choice(name, of_apus)) from.refuse("E0206", name, "is a profile of Apus; choose another name");
        made.push_back({name, *from.texts(name)});
        if (made.back().components.empty() || !std::ranges::all_of(made.back().components, is_part_name))
            from.refuse("E0206", name, "must be a list of components, such as `[\"core\", \"tls\"]`");
    }
    return made;
}

sdk_table read_sdk(table&& from) {
    sdk_table made{.version = from.line("version"), .profile = from.line("profile")};
    if (auto profiles = from.inner("profiles")) made.profiles = read_profiles(std::move(*profiles));
    from.end();
    return made;
}

dev_table read_dev(table&& from) {
    dev_table made;
    put(made.host, from.text("host"));
    put(made.port, from.integer("port", 0, 65535));
    put(made.hosts, from.texts("hosts"));
    put(made.watch, from.texts("watch"));
    put(made.ignore, from.texts("ignore"));
    put(made.arguments, from.texts("arguments"));
    from.end();
    return made;
}

deploy_table read_deploy(table&& from) {
    deploy_table made;
    put(made.certificate, from.line("certificate"));
    put(made.key, from.line("key"));
    put(made.names, from.texts("names"));
    const auto of_host = [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '-' || c == '.'; };
    for (const std::string& name : made.names)
        if (name.empty() || name.front() == '-' || !std::ranges::all_of(name, of_host))
            from.refuse("E0206", "names", "contains `" + name + "`, which is not a host name");
    if (made.certificate.empty() && !(made.key.empty() && made.names.empty()))
        from.refuse("E0205", "", "requires `certificate` if it has `key` or `names`");
    from.end();
    return made;
}

database_table read_database(table&& from) {
    database_table made;
    put(made.url, from.line("url"));
    put(made.migrations, from.line("migrations"));
    from.end();
    return made;
}

constexpr std::size_t max_bytes = 1 << 20;  // about a thousand times the size of a real manifest

}  // namespace

bool is_project_name(std::string_view name, std::string& why) {
    const auto word = [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '-' || c == '_'; };
    if (name.empty() || !base::is_letter(name[0])) why = "must begin with a letter";
    else if (name.size() > 64) why = "is longer than 64 characters";
    else if (!std::ranges::all_of(name, word)) why = "may contain only letters, digits, `-` and `_`";
    else if (std::string identifier(name);
             std::ranges::replace(identifier, '-', '_'), text::is_reserved_name(identifier))
        why = "is a reserved word of C++ or Apus";
    else if (name == "test" || name == "all" || name == "clean" || name == "install" || name == "help" ||
             name == "package" || name == "edit_cache" || name == "rebuild_cache" || name == "modules" ||
             name == "CMakeFiles" || name == "Testing")
        why = "is a reserved name of CMake or Apus";
    return why.empty();
}

std::vector<std::string> sdk_table::components_of(std::string_view of) const {
    const auto at = std::ranges::find(profiles, of, &sdk_profile::name);
    return at == profiles.end() ? std::vector<std::string>() : at->components;
}

manifest read(std::string_view text, const std::filesystem::path& file) {
    const document whole(text, file.filename().string());
    table root = whole.root();
    manifest made{.file = file, .folder = file.parent_path(), .project = {}, .sdk = {}, .dev = {}};
    auto project = root.inner("project");
    if (!project) throw errors::failure("E0205", file.filename().string() + ": missing table `[project]`");
    made.project = read_project(std::move(*project));
    if (auto sdk = root.inner("sdk")) made.sdk = read_sdk(std::move(*sdk));
    if (auto dev = root.inner("dev")) made.dev = read_dev(std::move(*dev));
    if (auto package = root.inner("package")) made.package = read_package(std::move(*package));
    if (auto deploy = root.inner("deploy")) made.deploy = read_deploy(std::move(*deploy));
    if (auto check = root.inner("check")) made.check = read_check(std::move(*check));
    if (auto database = root.inner("database")) made.database = read_database(std::move(*database));
    if (auto dependencies = root.inner("dependencies")) made.dependencies = read_dependencies(std::move(*dependencies));
    if (auto registries = root.inner("registries")) made.registries = read_registries(std::move(*registries));
    root.end();
    return made;
}

manifest read(const std::filesystem::path& file) { return read(system::read_file(file, max_bytes), file); }

std::optional<manifest> find_if_any() {
    for (auto folder = std::filesystem::current_path();; folder = folder.parent_path()) {
        std::error_code none;
        const auto file = folder / "apus.toml";
        const auto status = std::filesystem::status(file, none);
        if (std::filesystem::is_regular_file(status)) return read(file);
        // Reports a folder or dangling link with this name as an error and does not search further: the user probably
        // meant it to be the manifest.
        if (std::filesystem::exists(std::filesystem::symlink_status(file, none)))
            throw errors::failure(
                "E0201",
                "`" + file.string() + "` is not a file" +
                    (std::filesystem::exists(status) ? "" : ": it is a dangling symbolic link, or not accessible"),
                "remove it; `apus init` then creates the file");
        if (folder == folder.root_path()) return std::nullopt;
    }
}

manifest find() {
    if (auto found = find_if_any()) return std::move(*found);
    throw errors::failure(
        "E0201", "no apus.toml found in `" + std::filesystem::current_path().string() + "` or its parent folders",
        "`apus new NAME` creates a project, `apus init` makes this folder a project");
}

}  // namespace apus::cli::manifest
