// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/rule.hpp"

namespace apus::cli::diagnosis {
namespace {

constexpr rule cmake(std::string_view name, std::string_view message, std::string_view what, std::string_view fix,
                     lookup by = lookup::none) {
    return {.name = name, .from = origin::cmake, .messages = {message}, .what = what, .fix = fix, .by = by};
}

// Marks a rule for an error that causes all errors after it.
constexpr rule ending(rule of) {
    of.ends = true;
    return of;
}

constexpr rule tool(std::string_view name, std::string_view message, std::string_view what, std::string_view fix) {
    return {.name = name, .from = origin::tool, .messages = {message}, .what = what, .fix = fix};
}

constexpr rule build_table[] = {
    cmake("cmake-apus", "By not providing \"Findapus.cmake\" *", "CMake does not find Apus",
          "run ./apus install in a checkout of Apus; or set its location: cmake --preset dev "
          "-DCMAKE_PREFIX_PATH=$HOME/apus"),
    cmake("cmake-package", "By not providing \"Find{name}.cmake\" *",
          "CMake does not find the package {name}, which is in Debian's {package}",
          "apus add {library}; by hand: apt-get install {package}", lookup::cmake_package),
    cmake("cmake-package", "Could NOT find {name} (*",
          "CMake does not find the package {name}, which is in Debian's {package}",
          "apus add {library}; by hand: apt-get install {package}", lookup::cmake_package),
    cmake("cmake-package-unknown", "By not providing \"Find{name}.cmake\" *", "CMake does not find the package {name}",
          "correct its name, or find its package: apt-file search {name}Config.cmake {name}-config.cmake"),
    {.name = "pkg-config",
     .from = origin::cmake,
     .messages = {"A required package was not found*", "The following required packages were not found:*"},
     .also = "--   *ackage '{name}'*",
     .what = "pkg-config does not find {name}, which is in Debian's {package}",
     .fix = "apus add {library}; by hand: apt-get install {package}",
     .by = lookup::pkg_config},
    {.name = "pkg-config-unknown",
     .from = origin::cmake,
     .messages = {"A required package was not found*", "The following required packages were not found:*"},
     .also = "--   *ackage '{name}'*",
     .what = "pkg-config does not find {name}",
     .fix = "correct its name, or find its package: apt-file search {name}.pc"},
    cmake("cmake-component", "Target \"{target}\" links to: apus::{name} but the target was not found.*",
          "Apus has no component {name}, or it is not installed",
          "install another profile: ./apus install --profile full in a checkout of Apus; find_package(apus REQUIRED "
          "COMPONENTS {name}) reports this earlier"),
    cmake("cmake-target", "Target \"{target}\" links to: {name} but the target was not found.*",
          "{target} links {name}, which no package defines",
          "call find_package(...) for this package above this line, or correct the name"),
    cmake("cmake-command-apus", "Unknown CMake command \"apus_{name}\"*", "unknown CMake command apus_{name}",
          "call find_package(apus REQUIRED) above this line"),
    cmake("cmake-command", "Unknown CMake command \"{name}\"*", "unknown CMake command {name}",
          "correct its name, or include the module that defines it"),
    cmake("cmake-version", "CMake {wanted} or higher is required.  You are running version {found}",
          "the project requires CMake {wanted}, but {found} is installed",
          "lower the required version if 3.25 suffices, or install a newer one: pip install cmake"),
    cmake("cmake-ninja", "CMake was unable to find a build program corresponding to \"Ninja\".*",
          "ninja is not installed", "apt-get install ninja-build"),
    cmake("cmake-compiler", "Could not find compiler set in environment variable CXX: {name}.*",
          "the compiler set in CXX does not exist: {name}",
          "unset CXX, or apt-get install clang-19 and set CXX=clang++-19"),
    cmake("cmake-compiler", "*CMAKE_CXX_COMPILER* {name} is not a full path *", "the compiler {name} is not installed",
          "apt-get install clang-19, and configure again: cmake --fresh"),
    cmake("cmake-compiler", "No CMAKE_CXX_COMPILER could be found.*", "no C++ compiler is installed",
          "apt-get install clang-19"),
    ending(cmake(
        "cmake-miscompiles", "{compiler} miscompiles coroutines: *",
        "{compiler} miscompiles coroutines: it destroys temporaries beside co_await twice, and correct programs crash",
        "apt-get install clang-19, and set CMAKE_CXX_COMPILER to clang++-19; APUS_ALLOW_MISCOMPILING_COMPILER=ON "
        "builds anyway")),
    cmake("cmake-compiler-broken", "The C++ compiler \"{name}\" is not able to compile a simple test program.*",
          "the compiler {name} cannot build a program",
          "the output is below; usually libstdc++-12-dev is missing: apt-get install libstdc++-12-dev"),
    ending(cmake(
        "cmake-moved", "The current CMakeCache.txt directory {here}/CMakeCache.txt is different than the directory *",
        "the build folder was created for another location", "remove the build folder and build again: rm -r {here}")),
    cmake("cmake-moved", "The source \"{here}\" does not match the source *",
          "the build folder was created for another project", "remove the build folder and build again"),
    cmake("cmake-generator", "Error: generator : {new} *",
          "the build folder was created for another generator than {new}", "remove the build folder and build again"),
    cmake("cmake-nothing", "The source directory \"{folder}\" does not appear to contain CMakeLists.txt.*",
          "no CMakeLists.txt in {folder}",
          "change to the project's folder, or make this folder a project with apus init"),
    cmake("cmake-preset", "No such preset in {folder}: \"{name}\"*", "unknown preset {name}",
          "cmake --list-presets lists the presets"),
    cmake("cmake-syntax", "Parse error.*", "CMake cannot read the file",
          "look for a missing ) or a missing quote before this line"),
    cmake("cmake-source", "Cannot find source file: {name}", "no such file: {name}",
          "correct its name, or create the file"),
    cmake("cmake-source", "Cannot find source file: {name} *", "no such file: {name}",
          "correct its name, or create the file"),
    cmake("cmake-standard",
          "The CXX_STANDARD property on target \"{target}\" contained an invalid value: \"{value}\".*",
          "{value} is not a C++ standard known to CMake", "set CXX_STANDARD to 23"),
    cmake("cmake-target-twice",
          "*cannot create target \"{target}\" because another target with the same name already exists.*",
          "two targets have the name {target}", "rename one of them"),
    cmake("cmake-unwritable", "Unable to (re)create the private pkgRedirects directory:*",
          "no permission to write to the build folder",
          "check its owner: ls -ld build; after a build as root: sudo rm -r build"),
    tool("ninja-nothing", "loading 'build.ninja': No such file or directory", "the build folder is not configured",
         "cmake --preset dev"),
    tool("ninja-target", "unknown target '{name}', did you mean '{other}'?",
         "unknown target {name}; did you mean {other}?", "build {other}, if you meant that target"),
    tool("ninja-target", "unknown target '{name}'*", "unknown target {name}",
         "cmake --build build --target help lists the targets"),
    tool("ninja-missing", "'{name}', needed by '{target}', missing and no known rule to make it",
         "{name} does not exist, but {target} depends on it", "restore the file, or remove it from CMakeLists.txt"),
    {.name = "standard-unknown",
     .from = origin::tool,
     .messages = {"unrecognized command-line option '-std={name}'*", "invalid value '{name}' in '-std=*'"},
     .what = "the compiler does not support the standard {name}",
     .fix = "use -std=c++23, which Apus requires; for a newer standard, install a newer compiler"},
    tool("option-unknown", "unrecognized command-line option '{name}'*", "unknown compiler option {name}",
         "remove the option; it may belong to another compiler or version"),
    tool("option-unknown", "unknown argument: '{name}'*", "unknown compiler option {name}",
         "remove the option; it may belong to another compiler or version"),
    {.name = "no-source",
     .from = origin::tool,
     .messages = {"{name}: No such file or directory", "no such file or directory: '{name}'"},
     .what = "no such file: {name}",
     .fix = "correct its name, or create the file"},
    {.name = "out-of-memory",
     .from = origin::tool,
     .messages = {"Killed signal terminated program *", "unable to execute command: Killed", "*out of memory*"},
     .what = "out of memory: the kernel killed the compiler",
     .fix = "build fewer files at a time: ninja -C build -j1; or add swap"},
    {.name = "compiler-crash",
     .from = origin::tool,
     .messages = {"internal compiler error: *", "unable to execute command: *", "clang frontend command failed *"},
     .what = "the compiler crashed",
     .fix = "build again; if it fails again, use the other compiler, or change the line that the text below names"},
};

}  // namespace

std::span<const rule> build_rules() { return build_table; }

}  // namespace apus::cli::diagnosis
