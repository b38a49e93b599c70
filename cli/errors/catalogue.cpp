// SPDX-License-Identifier: Apache-2.0
#include "cli/errors/catalogue.hpp"

#include <algorithm>
#include <iterator>

namespace apus::cli::errors {

namespace {

constexpr entry entries[] = {
    // In order of code. Each is mentioned where it is thrown, and a test sees to that.
    {"E0101", "unknown command",
     "The first word after `apus` must be a command; `apus help` lists all commands. `apus help module`\n"
     "lists commands of two words, such as `apus module new`."},
    {"E0102", "invalid option, operand or value",
     "`apus help COMMAND` shows the options and operands of a command. Arguments for the program started\n"
     "by `apus run` follow after `--`: `apus run -- --port 9000`."},
    {"E0103", "file cannot be read",
     "The message has the path that was opened. A relative path is relative to the current folder, or to\n"
     "the one given by `--directory`."},
    {"E0104", "no space left on device",
     "Files are written under a temporary name and renamed, so none is incomplete. Free space: `apus clean`\n"
     "removes build output, and `apus info` shows the size of the caches."},
    {"E0105", "permission denied",
     "The file or folder belongs to another user, or the file system is mounted read-only. After a build\n"
     "as root, run `sudo chown -R $USER build`."},
    {"E0106", "system error", "The message ends with the error of the operating system."},
    {"E0107", "required program not installed",
     "The message names the program, the hint its package. `apus doctor` lists all missing programs at\n"
     "once."},
    {"E0201", "not in a project",
     "Commands for projects search `apus.toml` in the current folder and the folders above it. Create a\n"
     "project with `apus new NAME`, or make the current folder a project with `apus init`."},
    {"E0202", "apus.toml is invalid TOML",
     "The message has the line and column of the syntax error, and the expected token. The usual cause is\n"
     "a missing quote: `name = \"shop\"`, not `name = shop`."},
    {"E0203", "unknown key in apus.toml",
     "Unknown keys are refused, since a misspelt key such as `versoin` would otherwise have no effect. The\n"
     "message suggests the closest known key; docs/manifest.md lists all keys."},
    {"E0204", "wrong type in apus.toml",
     "Example: a number in place of a string, `version = 1` in place of `version = \"1.0.0\"`."},
    {"E0205", "missing key in apus.toml",
     "`[project]` needs `name`; docs/manifest.md lists the required keys of the other tables."},
    {"E0206", "invalid value in apus.toml",
     "The message lists the allowed values. Example: `port = 70000` is refused, since the highest port is\n"
     "65535."},
    {"E0207", "folder is not empty or already a project",
     "`apus new` creates a folder and does not change one that has files; `apus init` makes an existing\n"
     "folder a project and replaces no file. A folder with an apus.toml is already a project."},
    {"E0208", "project templates missing",
     "The templates are in `share/apus/templates` of the installation, beside the tool's `bin`. Install Apus\n"
     "again if they are missing."},
    {"E0209", "apus.toml cannot be edited by the tool",
     "The tool edits lines `key = value` of a table and keeps everything else, including comments. Edit\n"
     "tables such as `[dependencies.fmt]` and dotted keys by hand."},
    {"E0301", "CMake configuration failed",
     "The output of CMake is above the message. The usual cause: CMake does not find Apus, or the compiler\n"
     "named by the preset. APUS_SDK names the folder in which Apus is installed; without it the tool uses the\n"
     "SDK in use, and then searches beside itself."},
    {"E0302", "compilation or linking failed",
     "The output of the compiler is above the message, with paths relative to the project's folder."},
    {"E0303", "the project has no program",
     "A project of the template `library` has none. Otherwise the name in apus.toml differs from the name\n"
     "in `apus_application(NAME)` of CMakeLists.txt."},
    {"E0304", "single file or example cannot be run",
     "`apus run FILE.cpp` takes a path. Comments at the top of the file, `// apus: dependencies = NAME, NAME`\n"
     "and `// apus: flags = ...`, name pkg-config packages and compiler options. `apus run NAME` runs\n"
     "examples/NAME.cpp of the project, built as a part of it."},
    {"E0305", "no tests found",
     "`apus test FILTER` runs the tests whose name matches a regular expression, like `ctest -R`."},
    {"E0306", "clang-format failed",
     "The message has the output of clang-format. The usual cause is an unknown key in .clang-format."},
    {"E0307", "the program does not answer the tool",
     "`apus routes`, `apus openapi` and `apus check` build the program and start it with `--routes` or\n"
     "`--listen`: `main` must call `apus::serve(..., argc, argv)`."},
    {"E0308", "the app has no API description",
     "`apus openapi` requests the description (OpenAPI) from the program. Mount one in the app:\n"
     "`app.mount(apus::openapi_document({.title = \"Shop\", .version = \"1.0\"}))`."},
    {"E0309", "nothing to eject",
     "`apus eject` copies the CMake functions of the SDK into cmake/apus of the project, once."},
    {"E0310", "files cannot be watched",
     "inotify has limits per user: fs.inotify.max_user_instances and\n"
     "fs.inotify.max_user_watches. Each folder takes one watch; exclude folders by `dev.ignore` in apus.toml."},
    {"E0311", "`apus dev` cannot listen on the address",
     "The usual cause: another program uses the port, such as another `apus dev`, or the program itself,\n"
     "started by hand. Choose another address by `dev.host` and `dev.port` in apus.toml, or by `--host` and\n"
     "`--port`."},
    {"E0312", "nothing to measure",
     "`apus bench` measures each GET route without values in its path, or the paths given by `--path`, if it\n"
     "answers with a status from 200 to 299, or with that of `--status`, over plain HTTP. With `--method` or a\n"
     "body it measures the routes of that method. `apus bench NAME` runs bench/NAME_bench.cpp of the project."},
    {"E0313", "load generator failed",
     "The load generator is `libexec/apus/apus-load` of the tool's installation. It needs one descriptor per\n"
     "connection: raise `ulimit -n` or use fewer connections. It needs no privileges, and uses epoll if io_uring\n"
     "is not available."},
    {"E0314", "no comparable figures",
     "`apus bench --save NAME` keeps figures in build/bench, which `apus clean` removes. Figures are compared\n"
     "only with the same number of connections and CPUs, the same requests, the same rate, and the same I/O\n"
     "backend (io_uring or epoll) of the load generator."},
    {"E0315", "compiler miscompiles coroutines",
     "CMake compiles and runs a probe before the build. g++ 12 fails it: it destroys temporaries beside\n"
     "co_await twice, so correct programs crash, and no warning finds every such place. Install clang 19\n"
     "(`apt-get install clang-19`) and set `\"CMAKE_CXX_COMPILER\": \"clang++-19\"` in the preset of "
     "CMakePresets.json.\n"
     "To build anyway, set `\"APUS_ALLOW_MISCOMPILING_COMPILER\": \"ON\"`; docs/compilers.md lists the constructs to "
     "avoid."},
    {"E0401", "no matching version found",
     "The message lists the sources and their versions. `9` allows every version that begins with 9, `9.1`\n"
     "every version that begins with 9.1, `>=9.1` later ones too, and `*` any."},
    {"E0402", "apus.lock is invalid",
     "The tool writes apus.lock; keep it in version control and do not edit it. After a merge conflict, take\n"
     "either side and run `apus lock`, which repairs it from apus.toml."},
    {"E0403", "apus.lock is out of date",
     "With --frozen nothing is changed, and the message lists the necessary changes. Run `apus lock` where the\n"
     "project is developed, and commit the result."},
    {"E0404", "hash mismatch",
     "The fetched files differ from the hash in apus.lock: the commit or recipe was replaced, or the copy is\n"
     "damaged. Find out the cause before you accept the change by `apus update NAME`."},
    {"E0405", "network required or server not reachable",
     "With --offline nothing is fetched; without it, the server did not answer. Packages fetched before are\n"
     "in the cache, and installed packages of the distribution need no network."},
    {"E0406", "unknown dependency", "`apus tree` lists the dependencies of the project."},
    {"E0407", "Conan is not available",
     "Conan provides packages that the distribution does not have. The tool installs Conan for itself on\n"
     "first use, with `python3 -m venv` and pip; APUS_CONAN names an existing Conan."},
    {"E0408", "external program failed",
     "The message ends with the output of that program. Use `-v` to show each program that is started."},
    {"E0409", "distribution package not installed",
     "`--install-packages` of `apus add`, `lock` and `update` installs it; the hint has the apt-get command.\n"
     "Without the right to install packages, use Conan: `apus add NAME --from conan`."},
    {"E0410", "not a registry",
     "A registry is a folder or git repository with `recipes/NAME/config.yml` and the recipes beside it,\n"
     "or the URL of a Conan server."},
    {"E0411", "unknown registry",
     "`apus registry list` shows the registries of the project; `apus registry add NAME PLACE` adds one."},
    {"E0412", "recipe cannot be published",
     "A recipe is a folder with a conanfile.py that has a name and a version. The registry must not have\n"
     "this version yet."},
    {"E0501", "not an SDK", "An SDK has `lib/cmake/apus/apus-config.cmake`, by which CMake finds it."},
    {"E0502", "SDK not found",
     "`apus sdk list` lists the installed SDKs, and with `--from MIRROR` the SDKs of a mirror."},
    {"E0503", "SDK cannot be verified",
     "SHA256SUMS in the SDK's folder has the hashes of the installed files. Without it the check is not\n"
     "possible: install the SDK again."},
    {"E0504", "mirror cannot be read",
     "A mirror is a folder, or an http, https or file URL, with an index.toml and the packages listed in it.\n"
     "Packages are fetched by curl, which uses the usual proxy variables."},
    {"E0505", "invalid SDK package",
     "The package is for another machine, its SHA-256 differs from the mirror's index, or its contents lead\n"
     "out of its folder. Nothing was installed."},
    {"E0506", "SDK is in use",
     "Projects without a pinned SDK are built with it, and the tool itself may be in it. Select another SDK\n"
     "first: `apus sdk use NAME`."},
    {"E0507", "pinned SDK not installed",
     "`[sdk]` in apus.toml names a version, and optionally a profile: `version = \"0.1.0\"` with\n"
     "`profile = \"web\"` is the SDK 0.1.0-web. Without a profile it is 0.1.0-full; without a version, any version\n"
     "of that profile. For a profile of `[sdk.profiles]`, any SDK with its components is used. APUS_SDK, if set,\n"
     "has priority."},
    {"E0508", "not a checkout of Apus",
     "`apus sdk install --from-source DIR` calls `DIR/apus install`, and reads the version from its\n"
     "CMakeLists.txt."},
    {"E0509", "installation from a checkout failed",
     "`./apus install` of the checkout builds the release; its errors are above the message. The installed SDKs\n"
     "were not changed."},
    {"E0510", "system packages not installed",
     "`--install-packages` calls apt-get, as root or by sudo. The project was not changed. An SDK is installed:\n"
     "programs can be built with it once the packages are installed, and `apus sdk info NAME` lists the missing\n"
     "ones."},
    {"E0519", "program not installed by `./apus install`",
     "`apus uninstall` removes an installation in PREFIX/lib/apus/sdk: call it as PREFIX/bin/apus. Remove\n"
     "distribution packages with the system's package manager."},
    {"E0601", "module or prefix already exists",
     "`apus module list` shows the modules and their prefixes. Nothing was changed."},
    {"E0602", "invalid module name or prefix",
     "The name of a module is a folder, a namespace and a part of file names: lower-case letters, digits and\n"
     "`_`. Its prefix is the beginning of a path, such as `/auth`, without captures and without a final `/`."},
    {"E0603", "module not found",
     "Needed modules must be in modules/ of the same project. Add external libraries by `apus add`; every\n"
     "module may use them."},
    {"E0604", "module borders are broken",
     "Each line of `apus module check` has the place of a finding: a cycle of needs; an include of a module\n"
     "that is missing in `needs`, or in `exports` if a public header includes it; an unused need; an include of\n"
     "a private header of another module, or of a private header in a public one; a route or prefix in two\n"
     "modules; a prefix that is not mounted, or mounted elsewhere; a migration without a number of its own.\n"
     "docs/modules.md lists the fix for each."},
    {"E0701", "missing key for a package",
     "The hint has the line to add below `[package]`. docs/packaging.md and docs/manifest.md list the keys."},
    {"E0702", "no program to package",
     "A package holds one program, in ELF for x86_64 or aarch64: the program that the release build creates\n"
     "under the project's name, or the one given by `--binary`. A library is part of the packages of the programs\n"
     "that use it."},
    {"E0703", "file for a package not found",
     "`config`, `manual` and `[package.files]` in apus.toml name files by their paths in the project."},
    {"E0704", "packaging program failed",
     "The message names the program (dpkg-deb, rpmbuild, mmdebstrap or another) and ends with its output."},
    {"E0705", "release build failed",
     "The output of the compiler is above the message. Packages are built in build/package by the preset\n"
     "`release`, or in build/package-NAME by the preset given by `--preset NAME`."},
    {"E0706", "no toolchain for the target machine",
     "clang 19 compiles for that machine, with the C++ library and the linker of Debian's packages\n"
     "g++-aarch64-linux-gnu and g++-x86-64-linux-gnu. The libraries used by the program must be installed for that\n"
     "machine as well (`dpkg --add-architecture arm64`)."},
    {"E0707", "shared library not found",
     "Images contain the program's shared libraries, and bills of materials list them. The tool searches the\n"
     "distribution's library folders for the program's machine."},
    {"E0708", "health check of an image not possible",
     "An image has no program that could send a request to the server, so `apus-health` is added: from the\n"
     "tool's own installation or, for another machine, from the SDK named by APUS_SDK."},
    {"E0709", "package verification failed",
     "The package was changed after it was built, or signed by another key than the given one."},
    {"E0710", "signature cannot be made or verified",
     "Keys are OpenSSH keys (`ssh-keygen -t ed25519`) or minisign keys. The signature of a package is FILE.sig\n"
     "or FILE.minisig beside it."},
    {"E0801", "fixing requires root",
     "Only root can install packages and set kernel values: `sudo apus doctor --fix`. Without `--fix`,\n"
     "`apus doctor` prints the commands, so that you can run each by hand."},
    {"E0802", "fix command failed",
     "The message ends with the output of the command. apt-get may need `apt-get update` first; in a\n"
     "container, set kernel values on the host."},
};

}  // namespace

std::span<const entry> catalogue() noexcept { return entries; }

const entry* find(std::string_view code) noexcept {
    const auto* at = std::ranges::find(entries, code, &entry::code);
    return at == std::end(entries) ? nullptr : at;
}

}  // namespace apus::cli::errors
