// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/registries.hpp"

#include <algorithm>

#include "cli/dependencies/project_transaction.hpp"
#include "cli/errors/failure.hpp"
#include "cli/manifest/editor.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::dependencies {

namespace {

namespace fs = std::filesystem;

const remote& remote_of(resolver& sources, const std::string& name) {
    for (const remote& each : sources.engine().remotes())
        if (each.name == name) return each;
    throw errors::failure("E0411", "apus.toml has no registry `" + name + "`",
                          "`apus registry list` lists the registries");
}

void change(const manifest::manifest& project, const std::string& text) {
    manifest::read(text, project.file);
    system::update_file(project.file, text);
}

struct recipe {
    std::string name, version;
};

recipe recipe_in(resolver& sources, const fs::path& folder) {
    std::error_code none;
    if (!fs::exists(folder / "conanfile.py", none))
        throw errors::failure("E0412", "`" + folder.string() + "` has no conanfile.py",
                              "docs/dependencies.md shows a recipe");
    recipe found;
    const std::string said = sources.engine().call({"inspect", folder.string()}, "read the recipe");
    for (const std::string_view line : lines_of(said)) {
        if (line.starts_with("name: ")) found.name = line.substr(6);
        if (line.starts_with("version: ")) found.version = line.substr(9);
    }
    if (!manifest::is_dependency_name(found.name) || !manifest::is_dependency_name(found.version))
        throw errors::failure("E0412", "the recipe in `" + folder.string() + "` has no name or version",
                              "set `name` and `version` in conanfile.py");
    return found;
}

// Copies a recipe to recipes/NAME/VERSION, and adds the version to recipes/NAME/config.yml.
void copy_recipe(const recipe& what, const fs::path& from, const fs::path& registry) {
    const fs::path place = registry / "recipes" / what.name, config = place / "config.yml";
    std::error_code error;
    std::string versions = fs::exists(config, error) ? system::read_file(config) : "versions:\n";
    // A folder that config.yml does not list was left by a killed process, and may be replaced.
    if (versions.contains("\n  \"" + what.version + "\":") ||
        (fs::exists(place / what.version, error) && versions.contains(what.version + ":")))
        throw errors::failure("E0412",
                              "the registry has " + what.name + " " + what.version +
                                  " already, and published versions cannot be "
                                  "replaced",
                              "increase the version in the recipe");
    const std::string inside = fs::relative(registry, from, error).string();
    if (!inside.empty() && inside.substr(0, 2) != "..")
        throw errors::failure(
            "E0412", "the registry `" + registry.string() + "` is inside the folder of the recipe, which is copied",
            "move the registry or the recipe");
    versions += "  \"" + what.version + "\":\n    folder: " + what.version + "\n";
    system::staged_folder made(place / what.version);
    for (const auto& entry : fs::directory_iterator(from)) {
        const std::string name = entry.path().filename().string();
        if (name == ".git" || name == ".apus" || name == "build" || name == "__pycache__") continue;
        fs::copy(entry.path(), made.path() / name, fs::copy_options::recursive | fs::copy_options::copy_symlinks,
                 error);
        if (error) throw errors::system_failure("cannot copy `" + entry.path().string() + "`", error.value());
    }
    system::replacements all;
    all.adopt(made);
    all.add(config, versions);
    all.commit();
}

// Discards local commits that were not pushed, so that the same version can be published again.
void discard_unpushed(const programs& run, const remote& of) {
    run.ask({"git", "-C", of.place, "reset", "--quiet", "--hard", "@{upstream}"});
    run.ask({"git", "-C", of.place, "clean", "--quiet", "--force", "-d", "recipes"});
}

void push(const programs& run, const remote& to, const std::string& what) {
    try {
        run.need({"git", "-C", to.place, "add", "--all", "recipes"}, "add the recipe to the registry");
        run.need({"git", "-C", to.place, "commit", "--quiet", "--message", what}, "commit the recipe");
        run.need({"git", "-C", to.place, "push", "--quiet"}, "push to " + to.git);
    } catch (const errors::failure&) {
        discard_unpushed(run, to);
        throw;
    }
}

}  // namespace

void add_registry(const manifest::manifest& found, const std::string& name, const std::string& where, modes how,
                  terminal::shell& shell) {
    const project_transaction ours(found, shell);
    const manifest::manifest& project = ours.project();
    const std::string text =
        manifest::set_key(system::read_file(project.file), "registries", name, manifest::toml_string(where));
    const manifest::manifest changed = manifest::read(text, project.file);
    resolver sources(changed, how, shell);
    const remote& added = remote_of(sources, name);
    std::error_code none;
    if (added.folder && added.git.empty() && !fs::is_directory(fs::path(added.place) / "recipes", none))
        throw errors::failure("E0410", "`" + added.place + "` is not a registry: missing folder `recipes`",
                              "`mkdir -p " + added.place + "/recipes` creates the folder");
    if (!how.offline) sources.engine().search(added, "*");
    change(project, text);
    shell.event("Added", "the registry " + name + ", " +
                             (added.git.empty() ? added.folder ? "a folder" : "a server" : "a git repository"));
}

void remove_registry(const manifest::manifest& found, const std::string& name, terminal::shell& shell) {
    const project_transaction ours(found, shell);
    const manifest::manifest& project = ours.project();
    if (std::ranges::find(project.registries, name, &manifest::registry::name) == project.registries.end())
        throw errors::failure("E0411", "apus.toml has no registry `" + name + "`",
                              "`apus registry list` lists the registries");
    change(project, manifest::remove_key(system::read_file(project.file), "registries", name));
    shell.event("Removed", "the registry " + name);
}

std::string list_of_registries(const manifest::manifest& project) {
    std::string text;
    for (const manifest::registry& each : project.registries)
        text.append(each.name).append("  ").append(each.where).append("\n");
    return text + "conancenter  https://center2.conan.io (searched last)\n";
}

std::string search_registries(const manifest::manifest& project, const std::string& pattern, modes how,
                              terminal::shell& shell) {
    resolver sources(project, how, shell);
    std::string text;
    for (const remote& each : sources.engine().remotes()) {
        if (how.offline && !each.folder) continue;
        try {
            sources.engine().refresh(each);
            for (const std::string& ref : sources.engine().search(each, pattern))
                text.append(ref).append("  ").append(each.name).append("\n");
        } catch (const errors::failure& why) {
            if (why.code() != "E0405") throw;
            shell.warning("`" + each.name + "` cannot be reached");
        }
    }
    return text;
}

void publish(const manifest::manifest& project, const std::string& name, const fs::path& folder,
             terminal::shell& shell) {
    resolver sources(project, {}, shell);
    const remote& to = remote_of(sources, name);
    const recipe what = recipe_in(sources, folder);
    const std::string ref = what.name + "/" + what.version;
    sources.engine().use(to);
    if (to.folder) {
        const system::folder_lock alone(
            to.place, [&] { shell.event("Waiting", "for another `apus` process that publishes in " + name); });
        if (!to.git.empty()) discard_unpushed(sources.run(), to);
        sources.engine().refresh(to);
        copy_recipe(what, folder, to.place);
        if (!to.git.empty()) push(sources.run(), to, ref);
    } else {
        shell.event("Building", ref + "; the package is then uploaded with its recipe");
        std::vector<std::string> words{"create", folder.string(), "--build", "missing"};
        for (const remote& each : sources.engine().remotes()) {
            // The dependencies of published packages must come from the project's own registries.
            if (each.name == "conancenter") continue;
            sources.engine().use(each);
            words.insert(words.end(), {"-r", each.in_conan});
        }
        sources.engine().call(std::move(words), "build " + ref);
        sources.engine().call({"upload", ref, "-r", to.in_conan, "--confirm"}, "upload " + ref);
    }
    shell.event("Published", ref + " in " + name);
}

}  // namespace apus::cli::dependencies
