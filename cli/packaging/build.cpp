// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/build.hpp"

#include "cli/diagnosis/explanation.hpp"
#include "cli/errors/failure.hpp"
#include "cli/packaging/engine.hpp"
#include "cli/packaging/tree.hpp"
#include "cli/system/files.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::packaging {

namespace {

// Read by CMake behind each project(): paths of this folder become ".", and the same sources the same program.
constexpr std::string_view reproducible =
    "add_compile_options(\"-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.\" \"-ffile-prefix-map=${CMAKE_BINARY_DIR}=.\")\n"
    "if(NOT \"$ENV{APUS_SDK}\" STREQUAL \"\")\n"
    "  add_compile_options(\"-ffile-prefix-map=$ENV{APUS_SDK}=apus\")\n"
    "endif()\n"
    "add_link_options(-Wl,--build-id=sha1 -Wl,-z,relro -Wl,-z,now)\n"
    "set(CMAKE_SKIP_RPATH ON)\n";

std::string toolchain(const architecture& target) {
    const std::string triplet(target.triplet);
    return "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR " + std::string(target.name) + ")\nset(CMAKE_C_COMPILER " + triplet +
           "-gcc)\nset(CMAKE_CXX_COMPILER " + triplet + "-g++)\nset(CMAKE_LIBRARY_ARCHITECTURE " + triplet +
           ")\nset(ENV{PKG_CONFIG_LIBDIR} /usr/lib/" + triplet + "/pkgconfig:/usr/share/pkgconfig)\nset(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)\n";
}

bool is_native(const architecture& target) { return target.elf == architecture_named("").elf; }

fs::path folder_for(const product& of, const architecture& target) {
    return of.of.folder / (is_native(target) ? "build/package" : "build/package-" + std::string(target.name));
}

void run_step(const system::invocation& what, terminal::shell& shell) {
    std::string said;
    const int status = system::run(what, [&](std::string_view line) { said.append(line).append("\n"); });
    if (status == 0) return;
    for (const auto& known : diagnosis::explain(said)) shell.pass_on(diagnosis::text_of(known) + "\n");
    shell.pass_on(said);
    throw errors::failure("E0705", "the release build failed with status " + std::to_string(status), "what it said is above; `cmake --preset release` does the same");
}

}  // namespace

fs::path build(const product& of, const architecture& target, terminal::shell& shell) {
    const fs::path folder = folder_for(of, target);
    const system::folder_lock lock(folder, [&] { shell.event("Waiting", "for another `apus package` to end its build"); });
    system::update_file(folder / "reproducible.cmake", reproducible);
    system::invocation configure{.words = {"cmake", "--preset", "release", "-B", folder.string(), "-DCMAKE_PROJECT_INCLUDE=" + (folder / "reproducible.cmake").string(), "-DBUILD_TESTING=OFF"},
                                 .folder = of.of.folder,
                                 .environment = {{"SOURCE_DATE_EPOCH", std::to_string(of.epoch)}}};
    // What is in use here is for this machine; another's must be named by who builds.
    if (const fs::path sdk = work::sdk_folder(of.of); is_native(target) && !sdk.empty()) configure.environment.emplace_back("APUS_SDK", sdk.string());
    if (!is_native(target)) {
        const std::string compiler = std::string(target.triplet) + "-g++";
        if (!system::has_program(compiler))
            throw errors::failure("E0706", "there is no compiler for " + std::string(target.name) + ": `" + compiler + "` is not in PATH",
                                  "`sudo apt-get install g++-" + std::string(target.triplet) + "` has it");
        system::update_file(folder / "toolchain.cmake", toolchain(target));
        // The preset names a compiler too, and what stands here beats it.
        configure.words.insert(configure.words.end(), {"-DCMAKE_TOOLCHAIN_FILE=" + (folder / "toolchain.cmake").string(), "-DCMAKE_CXX_COMPILER=" + compiler});
    }
    shell.event("Building", of.program + " for " + std::string(target.name) + " by the preset `release`");
    run_step(configure, shell);
    run_step({.words = {"cmake", "--build", folder.string(), "--target", of.program}, .folder = of.of.folder, .environment = configure.environment}, shell);
    return built(of, target);
}

fs::path built(const product& of, const architecture& target) {
    const fs::path folder = folder_for(of, target);
    std::error_code none;
    for (const fs::path& each : {folder / of.program, folder / "bin" / of.program, folder / "src" / of.program})
        if (fs::is_regular_file(each, none)) return each;
    throw errors::failure("E0702", "there is no program `" + of.program + "` in `" + folder.string() + "`",
                          "`apus package` without `--no-build` builds it; CMakeLists.txt must have `apus_application(" + of.program + ")`");
}

void strip(const fs::path& from, const fs::path& to, const architecture& machine) {
    std::string program = "strip";
    // The native one knows no other machine; those of LLVM know all.
    for (const std::string& other : {std::string("llvm-strip"), std::string("llvm-strip-19"), std::string(machine.triplet) + "-strip"})
        if (!is_native(machine) && system::has_program(other)) program = other;
    run_engine({.words = {program, "-o", to.string(), "--remove-section=.comment", "--remove-section=.note", from.string()}});
}

}  // namespace apus::cli::packaging
