// SPDX-License-Identifier: Apache-2.0
#include "cli/work/run.hpp"

#include "cli/database/switching.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/system/process.hpp"
#include "cli/work/build.hpp"
#include "cli/work/compiler_programs.hpp"
#include "cli/work/presets.hpp"
#include "cli/work/sanitizer_reports.hpp"
#include "cli/work/single_file.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

// Runs the program on the tool's terminal. Prints sanitizer reports with explanations when the program has ended.
int run_with_reports(system::invocation start, const fs::path& build_folder, terminal::shell& shell) {
    name_symbolizer(start, build_folder, shell);
    sanitizer_reports reports(build_folder, start.folder);
    reports.direct(start);
    int status = 0;
    try {
        status = system::run_in_terminal(start);
    } catch (const errors::interruption&) {  // Ctrl-C is the usual way to end a server
        shell.event("Stopped", start.words.front().substr(start.words.front().rfind('/') + 1));
    }
    shell.copy_error(reports.news(true));
    return status;
}

int run_built(const manifest::manifest& project, const std::string& preset, const fs::path& program,
              const std::vector<std::string>& arguments, terminal::shell& shell) {
    system::invocation start{
        .words = {program.string()}, .folder = project.folder, .environment = database::program_environment(project)};
    start.words.insert(start.words.end(), project.dev.arguments.begin(), project.dev.arguments.end());
    start.words.insert(start.words.end(), arguments.begin(), arguments.end());
    shell.event("Running", program.filename().string());
    if (has_sanitizer(preset)) return run_with_reports(std::move(start), build_folder(project, preset), shell);
    system::exec(start);
}

}  // namespace

int run_project(const std::string& preset, const std::vector<std::string>& arguments, terminal::shell& shell) {
    const manifest::manifest project = manifest::find();
    build(project, {.preset = preset}, shell);
    return run_built(project, preset, program_of(project, preset), arguments, shell);
}

int run_example(const std::string& name, const std::string& preset, const std::vector<std::string>& arguments,
                terminal::shell& shell) {
    const manifest::manifest project = manifest::find();
    if (!fs::is_regular_file(project.folder / "examples" / (name + ".cpp")))
        throw errors::failure("E0304", "unknown example `" + name + "`: `examples/" + name + ".cpp` does not exist",
                              "write arguments for the program after `--`: `apus run -- " + name + "`");
    build(project, {.preset = preset, .targets = {"example_" + name}}, shell);
    return run_built(project, preset, build_folder(project, preset) / "examples" / name, arguments, shell);
}

int run_source(const std::string& file, bool release, const std::vector<std::string>& arguments,
               terminal::shell& shell) {
    if (!fs::is_regular_file(file))
        throw errors::failure("E0304", "no such file: `" + file + "`",
                              "`apus run` without an operand starts the project's program");
    system::invocation start{.words = {program_of_source(file, release, shell).string()}};
    start.words.insert(start.words.end(), arguments.begin(), arguments.end());
    system::exec(start);
}

}  // namespace apus::cli::work
