// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/staging.hpp"

#include "cli/errors/failure.hpp"
#include "cli/packaging/completion.hpp"
#include "cli/packaging/libraries.hpp"
#include "cli/packaging/documents.hpp"
#include "cli/packaging/unit.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::packaging {

namespace {

fs::path from_project(const product& of, const std::string& path) {
    const fs::path source = of.of.folder / path;
    std::error_code none;
    if (!fs::exists(source, none))
        throw errors::failure("E0703",
                              "`" + path + "`, which apus.toml lists for the package, does not exist in the project");
    return source;
}

void add_program(tree& to, const product& of) {
    to.copy("usr/bin/" + of.program, of.binary, 0755);
    if (!of.apus_library.empty()) {
        const std::string folder = apus_library_folder(of);
        to.folder(folder);
        to.copy(folder + "/" + of.apus_library.filename().string(), of.apus_library);
    }
    for (const std::string& each : of.of.package.config) {
        const std::string path = "etc/" + of.name + "/" + fs::path(each).filename().string();
        to.copy(path, from_project(of, each));
        to.mark_config(path);
    }
    if (!of.folders.empty()) to.folder("usr/share/" + of.name);
    for (const std::string& each : of.folders) to.copy_all("usr/share/" + of.name + "/" + each, from_project(of, each));
    for (const auto& [from, target] : of.of.package.files) {
        const std::string path = target.substr(1, target.find_last_not_of('/'));
        to.copy_all(path, from_project(of, from));
        if (path.starts_with("etc/") && to.entries().at(path).what == entry::kind::file) to.mark_config(path);
    }
}

// Call it before `add_program`, so that files listed in the manifest can replace the completions.
void add_completions(tree& to, const product& of, family where) {
    const std::string zsh = where == family::debian ? "vendor-completions" : "site-functions";
    to.file("usr/share/bash-completion/completions/" + of.program, bash_completion(of));
    to.file("usr/share/zsh/" + zsh + "/_" + of.program, zsh_completion(of));
    to.file("usr/share/fish/vendor_completions.d/" + of.program + ".fish", fish_completion(of));
}

void add_daemon(tree& to, const product& of, family where) {
    const std::string settings = "etc/" + of.name + "/" + of.name + ".env";
    to.folder("etc/" + of.name);
    to.file(settings, environment_file(of));
    to.mark_config(settings);
    to.file((where == family::debian ? "lib/systemd/system/" : "usr/lib/systemd/system/") + of.name + ".service",
            unit(of));
    to.file("usr/lib/sysusers.d/" + of.name + ".conf", users(of));
    to.file("usr/lib/tmpfiles.d/" + of.name + ".conf", folders(of));
}

void add_documents(tree& to, const product& of) {
    const std::string folder = "usr/share/doc/" + of.name;
    to.folder(folder);
    to.file(folder + "/copyright", copyright(of));
    to.file(folder + "/changelog.gz", gzipped(debian_changelog(of)));
    std::error_code none;
    const fs::path changes = of.of.folder / "CHANGELOG.md";
    if (fs::is_regular_file(changes, none)) to.file(folder + "/CHANGELOG.md.gz", gzipped(system::read_file(changes)));
    const std::string& manual = of.of.package.manual;
    const std::string section = manual.empty() ? "1" : fs::path(manual).extension().string().substr(1);
    to.file("usr/share/man/man" + section + "/" + of.program + "." + section + ".gz",
            gzipped(manual.empty() ? manual_page(of) : system::read_file(from_project(of, manual))));
}

}  // namespace

tree staged(const product& of, family where) {
    tree made;
    add_completions(made, of, where);
    add_program(made, of);
    if (of.of.package.daemon) add_daemon(made, of, where);
    add_documents(made, of);
    return made;
}

tree staged_for_image(const product& of) {
    tree made;
    add_program(made, of);
    made.file("usr/share/doc/" + of.name + "/copyright", copyright(of));
    return made;
}

}  // namespace apus::cli::packaging
