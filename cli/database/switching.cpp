// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "cli/database/switching.hpp"
#include "cli/manifest/editor.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::database {

void use_postgres(const manifest::manifest& project, terminal::shell& shell) {
    const std::string url = "postgres:///" + project.project.name;
    if (project.database.url.starts_with("postgres"))
        return shell.event("Unchanged", "the database of the project is `" + project.database.url + "`");
    const std::string text =
        manifest::set_key(system::read_file(project.file), "database", "url", std::string("\"") + url + "\"");
    system::replacements files;
    files.update(project.file, text);
    files.commit();
    shell.event("Changed", "[database] of apus.toml: url = \"" + url + "\"");
    shell.hint("`createdb " + project.project.name + " && apus run`: the local server, as this user");
}

std::vector<std::pair<std::string, std::string>> program_environment(const manifest::manifest& project) {
    if (project.database.url.empty() || std::getenv("DATABASE_URL")) return {};
    return {{"DATABASE_URL", project.database.url}};
}

}  // namespace apus::cli::database
