// SPDX-License-Identifier: Apache-2.0
#include "cli/work/build.hpp"

#include "cli/dependencies/changes.hpp"
#include "cli/diagnosis/explanation.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/text/layout.hpp"
#include "cli/work/known_sources.hpp"
#include "cli/work/ninja_line.hpp"
#include "cli/work/precompiled.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_repeated_messages = 4;

// Returns the SDK and the presets as text. The build is configured again if this text changes.
std::string stamp_of(const manifest::manifest& project, const fs::path& sdk) {
    const fs::path presets = project.folder / "CMakePresets.json";
    return sdk.string() + "\n" + (fs::exists(presets) ? system::read_file(presets) : "");
}

bool is_configured(const fs::path& folder, const std::string& stamp) {
    return fs::exists(folder / "build.ninja") && fs::exists(folder / ".apus-configured") &&
           system::read_file(folder / ".apus-configured") == stamp;
}

// Returns true for development builds. Editors use the compile_commands.json of these builds, not the file of a build
// for measurements or packages.
bool is_for_editors(const fs::path& preset) {
    return preset != "release" && preset != "asan" && preset != "tsan" && preset != "coverage";
}

void link_compile_commands(const manifest::manifest& project, std::string_view preset) {
    const fs::path link = project.folder / "compile_commands.json";
    fs::path to = fs::path("build") / preset / "compile_commands.json";
    std::error_code none;
    if (!is_for_editors(preset)) {
        if (fs::exists(link, none) && fs::is_symlink(link, none) &&
            is_for_editors(fs::read_symlink(link, none).parent_path().filename()))
            return;
        if (fs::exists(project.folder / "build/dev/compile_commands.json", none))
            to = "build/dev/compile_commands.json";
    }
    if (!fs::exists(project.folder / to, none) ||
        (fs::exists(fs::symlink_status(link, none)) && !fs::is_symlink(link, none)))
        return;
    if (fs::is_symlink(link, none) && fs::read_symlink(link, none) == to) return;
    fs::remove(link, none);
    fs::create_symlink(to, link, none);
}

// Returns the error message of CMake, without its progress output.
build_result refused_by_cmake(const system::outcome& ended) {
    build_result result{.ok = false, .said = ended.error};
    if (result.said.empty()) result.said = ended.out;
    return result;
}

build_result configure(const manifest::manifest& project, const std::string& preset, const fs::path& folder,
                       terminal::shell& shell) {
    const fs::path sdk = sdk_folder(project);
    const std::string stamp = stamp_of(project, sdk);
    if (is_configured(folder, stamp)) return {};
    shell.event("Configuring", "build/" + preset);
    system::invocation cmake{.words = {"cmake", "--preset", preset}, .folder = project.folder};
    if (fs::exists(folder / "CMakeCache.txt")) cmake.words.push_back("--fresh");
    // Removes the stamp first: if CMake is interrupted, the next build configures again.
    system::remove_tree(folder / ".apus-configured");
    if (!sdk.empty()) cmake.environment.emplace_back("APUS_SDK", sdk.string());
    const system::outcome ended = system::run(cmake);
    if (!ended.ok()) return refused_by_cmake(ended);
    system::replace_file(folder / ".apus-configured", stamp);
    return {.has_changed = true};
}

// The output of a Ninja step, and its command if it failed.
struct step {
    std::string command{};
    std::string said{};
};

// Returns the compiler's output of all steps. Compiles the first failed sources again without precompiled headers, for
// better messages.
std::string output_of_steps(std::vector<step>& steps, const fs::path& folder, const fs::path& project) {
    std::size_t asked = 0;
    std::string said;
    for (step& one : steps) {
        const std::vector<std::string> words = command_without_precompiled(one.command);
        if (!words.empty() && asked++ < max_repeated_messages)
            if (const system::outcome again = system::run({.words = words, .folder = folder});
                !again.ok() && !again.error.empty())
                one.said = text::with_short_paths(again.error, project);
        said += one.said;
    }
    return said;
}

build_result run_ninja(const manifest::manifest& project, const build_options& options, const fs::path& folder,
                       terminal::shell& shell) {
    system::invocation ninja{.words = {"ninja"}, .folder = folder};
    if (options.jobs) ninja.words.insert(ninja.words.end(), {"-j", std::to_string(options.jobs)});
    build_result result;
    result.ran_cmake = options.only_changed.empty() ||
                       is_read_by_cmake(system::read_file(folder / "build.ninja"), options.only_changed);
    if (!result.ran_cmake) ninja.words.insert(ninja.words.end(), {"-f", build_file_of_known_sources(folder)});
    ninja.words.insert(ninja.words.end(), options.targets.begin(), options.targets.end());
    ninja.environment = {{"NINJA_STATUS", "[%f/%t] "}, {"APUS_SDK", sdk_folder(project).string()}};
    std::vector<step> steps(1);
    bool command_follows = false;
    ninja_line ended;  // the last step; the next line shows whether it failed
    const auto tell = [&] {
        if (ended.is == ninja_line::kind::step) shell.event(ended.done, ended.what);
        ended = {};
    };
    const int status = system::run(ninja, [&](std::string_view line) {
        if (std::exchange(command_follows, false)) return steps.back().command = line, shell.detail("Command", line);
        const ninja_line read = read_ninja_line(line);
        command_follows = read.is == ninja_line::kind::failed;
        if (read.is != ninja_line::kind::text) steps.emplace_back();
        if (command_follows) ended = {};
        else tell();
        if (read.is == ninja_line::kind::step) result.has_changed = true, ended = read;
        if (read.is == ninja_line::kind::text) steps.back().said += text::with_short_paths(line, project.folder) + "\n";
    });
    tell();
    result.ok = status == 0;
    result.said = output_of_steps(steps, folder, project.folder);
    return result;
}

}  // namespace

build_result try_build(const manifest::manifest& project, const build_options& options, terminal::shell& shell) {
    dependencies::prepare(project, {}, shell);
    const fs::path folder = build_folder(project, options.preset);
    const system::folder_lock lock(
        folder, [&] { shell.event("Waiting", "for another `apus` process that builds in build/" + options.preset); });
    const build_result configured = configure(project, options.preset, folder, shell);
    if (configured.ok) link_compile_commands(project, options.preset);
    build_result result = configured.ok ? run_ninja(project, options, folder, shell) : configured;
    if (!result.ok)
        for (const auto& known : diagnosis::explain(result.said)) {
            result.explained += diagnosis::text_of(known) + "\n";
            result.miscompiles |= known.rule == "cmake-miscompiles";
        }
    shell.copy_error(result.explained + result.said);
    return result;
}

void build(const manifest::manifest& project, const build_options& options, terminal::shell& shell) {
    const build_result result = try_build(project, options, shell);
    if (result.ok) return;
    if (result.miscompiles)
        throw errors::failure(
            "E0315", "the compiler of the preset `" + options.preset + "` miscompiles coroutines",
            "`apt-get install clang-19`, and set in the preset \"CMAKE_CXX_COMPILER\": \"clang++-19\"");
    const bool configured = fs::exists(build_folder(project, options.preset) / ".apus-configured");
    if (!configured)
        throw errors::failure("E0301", "CMake cannot configure the preset `" + options.preset + "`",
                              "the output of CMake is above; if Apus is missing, run `./apus install` in a checkout of "
                              "Apus");
    throw errors::failure("E0302", "the build of `" + project.project.name + "` failed", "the first error is above");
}

fs::path program_of(const manifest::manifest& project, std::string_view preset) {
    const fs::path program = build_folder(project, preset) / project.project.name;
    if (!fs::exists(program))
        throw errors::failure("E0303",
                              "`" + project.project.name +
                                  "` has no program: CMakeLists.txt does not define a target of this "
                                  "name",
                              "`apus test` builds and tests a library");
    return program;
}

}  // namespace apus::cli::work
