// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/build.hpp"

#include <cstdlib>

#include "cli/dependencies/changes.hpp"
#include "cli/diagnosis/explanation.hpp"
#include "cli/errors/failure.hpp"
#include "cli/packaging/engine.hpp"
#include "cli/packaging/libraries.hpp"
#include "cli/packaging/tree.hpp"
#include "cli/system/files.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::packaging {

namespace {

const std::string compiler = "clang++-19";

// CMake code that runs after each project(). Replaces the build path by "." in debug information and macros, so that
// builds are reproducible.
constexpr std::string_view reproducible =
    "add_compile_options(\"-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.\" \"-ffile-prefix-map=${CMAKE_BINARY_DIR}=.\")\n"
    "if(NOT \"$ENV{APUS_SDK}\" STREQUAL \"\")\n"
    "  add_compile_options(\"-ffile-prefix-map=$ENV{APUS_SDK}=apus\")\n"
    "endif()\n"
    "add_link_options(-Wl,--build-id=sha1 -Wl,-z,relro -Wl,-z,now)\n"
    "set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)\n";

// Returns CMake code that sets the run path to libapus.so in the package, without paths of this machine. The second
// path is for systems without /proc, which the loader reads to resolve $ORIGIN.
std::string run_path(const product& of) {
    return "function(apus_package_run_path)\n  if(APUS_SHARED AND TARGET " + of.program +
           ")\n    set_target_properties(" + of.program + " PROPERTIES INSTALL_RPATH [[" + apus_library_path(of) +
           ";/usr/lib/" + of.name +
           "]])\n  endif()\nendfunction()\nif(PROJECT_IS_TOP_LEVEL)\n  cmake_language(DEFER CALL "
           "apus_package_run_path)\nendif()\n";
}

// Returns a CMake toolchain file for cross-compiling with clang, which uses the C++ library and the linker of g++. g++
// 12 itself miscompiles coroutines, and the test program for this error cannot run for another architecture.
std::string toolchain(const architecture& target) {
    const std::string triplet(target.triplet);
    return "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR " + std::string(target.name) +
           ")\nset(CMAKE_C_COMPILER clang-19)\nset(CMAKE_CXX_COMPILER " + compiler + ")\nset(CMAKE_C_COMPILER_TARGET " +
           triplet + ")\nset(CMAKE_CXX_COMPILER_TARGET " + triplet + ")\nset(CMAKE_LIBRARY_ARCHITECTURE " + triplet +
           ")\nset(ENV{PKG_CONFIG_LIBDIR} /usr/lib/" + triplet +
           "/pkgconfig:/usr/share/pkgconfig)\nset(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)\n";
}

bool is_native(const architecture& target) { return target.elf == architecture_named("").elf; }

void run_step(const system::invocation& what, const release& of, terminal::shell& shell) {
    std::string said;
    const int status = system::run(what, [&](std::string_view line) { said.append(line).append("\n"); });
    if (status == 0) return;
    for (const auto& known : diagnosis::explain(said)) shell.copy_error(diagnosis::text_of(known) + "\n");
    shell.copy_error(said);
    if (said.contains("No space left on device"))
        throw errors::failure("E0104", "the build in `" + of.folder().string() + "` failed: no space left on device",
                              "free space on the disk; `apus doctor` shows the available space");
    throw errors::failure("E0705",
                          "the build of the preset `" + of.preset + "` failed with status " + std::to_string(status),
                          "the output is above; `cmake --preset " + of.preset + "` reproduces the error");
}

}  // namespace

void refuse_library(const manifest::manifest& project) {
    const fs::path file = project.folder / "CMakeLists.txt";
    std::error_code none;
    if (!fs::is_regular_file(file, none)) return;
    const std::string text = system::read_file(file);
    if (!text.contains("apus_library(" + project.project.name) || text.contains("apus_application(") ||
        text.contains("add_executable("))
        return;
    throw errors::failure("E0702", "`" + project.project.name + "` is a library, but packages contain a program",
                          "a library is part of the packages of programs that use it; `apus registry publish` "
                          "publishes its recipe");
}

fs::path release::folder() const {
    std::string name = "package";
    if (preset != "release") name += "-" + preset;
    if (!is_native(target)) name.append("-").append(target.name);
    return of.of.folder / "build" / name;
}

fs::path release::sdk() const {
    if (is_native(target)) return work::sdk_folder(of.of);
    // The default SDK is for this machine. For another architecture, APUS_SDK must name the SDK.
    const char* named = std::getenv("APUS_SDK");
    return named && *named ? fs::absolute(named) : fs::path();
}

fs::path build(const release& what, terminal::shell& shell) {
    const manifest::manifest& project = what.of.of;
    if (is_native(what.target)) dependencies::prepare(project, {}, shell);
    const fs::path folder = what.folder();
    system::update_file(folder / "reproducible.cmake", std::string(reproducible) + run_path(what.of));
    system::invocation configure{
        .words = {"cmake", "--preset", what.preset, "-B", folder.string(),
                  "-DCMAKE_PROJECT_INCLUDE=" + (folder / "reproducible.cmake").string(), "-DBUILD_TESTING=OFF"},
        .folder = project.folder,
        .environment = {{"SOURCE_DATE_EPOCH", std::to_string(what.of.epoch)}}};
    if (const fs::path sdk = what.sdk(); !sdk.empty()) configure.environment.emplace_back("APUS_SDK", sdk.string());
    if (!is_native(what.target)) {
        if (const std::string cross = std::string(what.target.triplet) + "-g++"; !system::has_program(cross))
            throw errors::failure(
                "E0706",
                "missing C++ library for " + std::string(what.target.name) + ": `" + cross + "` is not in PATH",
                "`sudo apt-get install g++-" + std::string(what.target.triplet) +
                    "` installs the library and a linker");
        system::update_file(folder / "toolchain.cmake", toolchain(what.target));
        // The definition on the command line overrides the compiler in the preset.
        configure.words.insert(
            configure.words.end(),
            {"-DCMAKE_TOOLCHAIN_FILE=" + (folder / "toolchain.cmake").string(), "-DCMAKE_CXX_COMPILER=" + compiler});
    }
    shell.event("Building",
                what.of.program + " for " + std::string(what.target.name) + " with the preset `" + what.preset + "`");
    run_step(configure, what, shell);
    run_step({.words = {"cmake", "--build", folder.string(), "--target", what.of.program},
              .folder = project.folder,
              .environment = configure.environment},
             what, shell);
    return built(what);
}

fs::path built(const release& what) {
    const fs::path folder = what.folder();
    const std::string& program = what.of.program;
    std::error_code none;
    for (const fs::path& each : {folder / program, folder / "bin" / program, folder / "src" / program})
        if (fs::is_regular_file(each, none)) return each;
    throw errors::failure(
        "E0702", "no program `" + program + "` in `" + folder.string() + "`",
        "run `apus package` without `--no-build`; CMakeLists.txt must have `apus_application(" + program + ")`");
}

void strip(const fs::path& from, const fs::path& to, const architecture& machine) {
    std::string program = "strip";
    // The native strip supports only this machine's architecture; llvm-strip supports all architectures.
    for (const std::string& other :
         {std::string("llvm-strip"), std::string("llvm-strip-19"), std::string(machine.triplet) + "-strip"})
        if (!is_native(machine) && system::has_program(other)) program = other;
    // Symbols are kept: profiles and crash reports name functions by them.
    run_engine({.words = {program, "--strip-debug", "-o", to.string(), "--remove-section=.comment",
                          "--remove-section=.note", from.string()}});
}

}  // namespace apus::cli::packaging
