// SPDX-License-Identifier: Apache-2.0
#include "cli/work/starting.hpp"

#include "cli/manifest/manifest.hpp"
#include "cli/system/process.hpp"
#include "cli/work/build.hpp"
#include "cli/work/single_file.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

fs::path source_named(const std::string& name) {
    if (name.ends_with(".cpp")) {
        if (!fs::is_regular_file(name)) throw errors::failure("E0304", "there is no file `" + name + "`", "`apus run` alone starts the project's program");
        return name;
    }
    const manifest::manifest project = manifest::find();
    const fs::path source = project.folder / "examples" / (name + ".cpp");
    if (!fs::is_regular_file(source)) throw errors::failure("E0304", "there is no example `" + name + "`: no file `examples/" + name + ".cpp`", "what the program itself is to get stands behind `--`: `apus run -- " + name + "`");
    return source;
}

}  // namespace

int run_project(const std::string& preset, const std::vector<std::string>& arguments, terminal::shell& shell) {
    const manifest::manifest project = manifest::find();
    build(project, {.preset = preset}, shell);
    const fs::path program = program_of(project, preset);
    system::invocation start{.words = {program.string()}, .folder = project.folder};
    start.words.insert(start.words.end(), project.dev.arguments.begin(), project.dev.arguments.end());
    start.words.insert(start.words.end(), arguments.begin(), arguments.end());
    shell.event("Running", project.project.name);
    system::become(start);
}

int run_source(const std::string& name, bool release, const std::vector<std::string>& arguments, terminal::shell& shell) {
    system::invocation start{.words = {program_of_source(source_named(name), release, shell).string()}};
    start.words.insert(start.words.end(), arguments.begin(), arguments.end());
    system::become(start);
}

}  // namespace apus::cli::work
