// SPDX-License-Identifier: Apache-2.0
#include "cli/errors/catalogue.hpp"

#include <algorithm>
#include <iterator>

namespace apus::cli::errors {

namespace {

constexpr entry entries[] = {
    // In order of code. Each is mentioned where it is thrown, and a test sees to that.
    {"E0101", "a command that does not exist",
     "The first word after `apus` names a command; `apus help` lists them all. Commands of two words,\n"
     "such as `apus module new`, are listed by `apus help module`."},
    {"E0102", "an option or operand that a command does not have",
     "`apus help COMMAND` shows what the command takes. What is meant for the program that `apus run`\n"
     "starts stands behind `--`: `apus run -- --port 9000`."},
    {"E0103", "a file cannot be read",
     "The path in the message is as the tool looked for it; it is relative to the folder in which the\n"
     "command was called, or to the one behind `--directory`."},
    {"E0104", "no space left on the disk",
     "Nothing was left half-written: files are written beside their place and renamed. `apus clean`\n"
     "removes what can be built again, and `apus info` shows what the caches take."},
    {"E0105", "no permission",
     "The file or folder named belongs to somebody else, or the file system is mounted read-only. What a\n"
     "build as root left behind is given back by `sudo chown -R $USER build`."},
    {"E0106", "the system refused something", "The message ends with the system's own words for it."},
    {"E0107", "a program that is needed is not installed",
     "The message names the program, and the hint the package that has it. `apus doctor` lists\n"
     "everything that is missing at once."},
    {"E0201", "no project here",
     "Commands that work on a project look for `apus.toml` in the current folder and those above it.\n"
     "`apus new NAME` makes a project, `apus init` makes the current folder one."},
    {"E0202", "apus.toml is not TOML",
     "The message has the line and column at which reading stopped, and what was expected there. Mostly\n"
     "a text lacks its quotes: `name = \"shop\"`, not `name = shop`."},
    {"E0203", "a key that apus.toml does not have",
     "A misspelt key would be ignored in silence, so each must be known, as `versoin` is not. The message\n"
     "says what was probably meant; docs/manifest.md lists all."},
    {"E0204", "a value of the wrong type in apus.toml",
     "For example a number where a text belongs: `version = 1` in place of `version = \"1.0.0\"`."},
    {"E0205", "a key that is missing from apus.toml",
     "`[project]` needs `name`; the other tables say in docs/manifest.md what they need."},
    {"E0206", "a value that is not allowed in apus.toml",
     "The message says which values are: `port = 70000` is refused, since ports end at 65535."},
    {"E0207", "something is in the way of a new project",
     "`apus new` makes a folder of its own and changes none that has something in it; `apus init` makes\n"
     "a project of a folder as it is, and replaces no file. A folder with an apus.toml is a project."},
    {"E0208", "the templates of projects are missing",
     "They are in `share/apus/templates` of the installation, beside the tool's `bin`."},
    {"E0209", "apus.toml cannot be changed by the tool",
     "The tool changes a line `key = value` of a table and leaves all else as it is, comments too.\n"
     "Tables such as `[dependencies.fmt]` and dotted keys are for people to change."},
    {"E0301", "CMake cannot configure the project",
     "What CMake says stands above the message. Most often it does not find Apus, or a compiler that the\n"
     "preset names. APUS_SDK names the folder in which Apus is installed; without it the tool looks for\n"
     "the SDK in use, and then beside itself."},
    {"E0302", "something does not compile or link",
     "What the compiler says stands above the message, with paths from the project's folder."},
    {"E0303", "the project has no program",
     "A project of the template `library` has none to start or to ask. Otherwise the name in apus.toml and\n"
     "that in `apus_application(NAME)` of CMakeLists.txt differ."},
    {"E0304", "a single file or example cannot be run",
     "`apus run FILE.cpp` takes a path, and in front of the file's code `// apus: dependencies = NAME, NAME`\n"
     "names packages of pkg-config and `// apus: flags = ...` what the compiler gets. `apus run NAME` is a file\n"
     "examples/NAME.cpp of the project, built as a part of it."},
    {"E0305", "there is no such test",
     "`apus test FILTER` runs the tests whose name matches a regular expression, as `ctest -R` does."},
    {"E0306", "clang-format does not take a file",
     "The message has what it says; a .clang-format with a key that it does not know is the usual reason."},
    {"E0307", "the program does not answer the tool",
     "`apus routes`, `apus openapi` and `apus check` build the program and start it: it must call\n"
     "`apus::serve(..., argc, argv)`, so that it takes `--routes` and `--listen`."},
    {"E0308", "the app has no description",
     "`apus openapi` asks the program for its description (OpenAPI), which it serves if the app mounts one:\n"
     "`app.mount(apus::openapi_document({.title = \"Shop\", .version = \"1.0\"}))`."},
    {"E0309", "there is nothing to eject",
     "`apus eject` copies the functions of CMake from the SDK into cmake/apus of the project, once."},
    {"E0310", "files cannot be watched",
     "inotify has bounds for each user: fs.inotify.max_user_instances and fs.inotify.max_user_watches. Each\n"
     "folder takes one watch; `dev.ignore` in apus.toml names folders that need none."},
    {"E0311", "`apus dev` cannot listen there",
     "Most often another program listens on the port: another `apus dev`, or the program itself, started\n"
     "by hand. `dev.host` and `dev.port` in apus.toml, or `--host` and `--port`, name another place."},
    {"E0312", "there is nothing to measure",
     "`apus bench` asks the program for each GET route without values in its path, or for those that\n"
     "`--path` names, and measures what is answered with a status from 200 to 299, or with that of\n"
     "`--status`, over plain HTTP. With `--method` or a body it asks for the routes of that method.\n"
     "`apus bench NAME` runs a program bench/NAME_bench.cpp of the project's own."},
    {"E0313", "the load generator does not work",
     "It is `libexec/apus/apus-load` of the installation that the tool is of. It needs neither io_uring, without\n"
     "which it uses epoll, nor rights, but a descriptor for each connection."},
    {"E0314", "there are no figures to compare with",
     "`apus bench --save NAME` keeps figures in build/bench, which `apus clean` removes. They are compared\n"
     "with others of as many connections and CPUs, the same requests at the same rate, and a load generator\n"
     "that used the same of io_uring and epoll."},
    {"E0315", "the compiler miscompiles coroutines",
     "CMake compiles and runs a probe before anything is built. g++ 12 fails it: it destroys temporaries beside\n"
     "co_await twice, and no warning finds every place where correct programs crash by that. Install clang 19\n"
     "(`apt-get install clang-19`) and let the preset of CMakePresets.json have `\"CMAKE_CXX_COMPILER\": "
     "\"clang++-19\"`.\n"
     "`\"APUS_ALLOW_MISCOMPILING_COMPILER\": \"ON\"` builds all the same; docs/compilers.md says what to avoid then."},
    {"E0401", "no version that is wanted can be had",
     "The message lists where was looked and what is there. `9` stands for every version that begins\n"
     "with 9, `9.1` for those that begin with 9.1, `>=9.1` for later ones too, `*` for any."},
    {"E0402", "apus.lock cannot be used",
     "It is written by the tool and kept in version control. After a merge with conflicts, take either\n"
     "side and call `apus lock`, which mends it from apus.toml."},
    {"E0403", "apus.lock is not what apus.toml asks for",
     "With --frozen nothing is changed, and the message says what would be. Call `apus lock` where the\n"
     "project is developed, and commit what it writes."},
    {"E0404", "something is not what its hash says",
     "What was fetched now differs from what apus.lock was written for: the commit or recipe was\n"
     "replaced by another, or the copy is damaged. Find out which before `apus update NAME` takes it."},
    {"E0405", "the network is needed",
     "With --offline nothing is fetched, and without it the server did not answer. What has been\n"
     "fetched once is in the cache, and what the distribution has installed needs no network."},
    {"E0406", "no such dependency", "`apus tree` lists those of the project."},
    {"E0407", "Conan cannot be used",
     "Conan gets what the distribution does not have. The tool installs it for itself, with `python3 -m\n"
     "venv` and pip, when it is needed first; APUS_CONAN names one that is there already."},
    {"E0408", "a program that was asked to fetch or look something up failed",
     "The message ends with its own last words. With `-v` each program that is started is shown."},
    {"E0409", "a package of the distribution is not installed",
     "`--install-packages` of `apus add`, `lock` and `update` installs it, or the apt-get that the hint has. Who\n"
     "cannot install packages takes it from Conan: `apus add NAME --from conan`."},
    {"E0410", "a place is no registry",
     "A registry is a folder or git repository with `recipes/NAME/config.yml` and the recipes beside it,\n"
     "or the URL of a Conan server."},
    {"E0411", "no such registry",
     "`apus registry list` shows those of the project; `apus registry add NAME PLACE` adds one."},
    {"E0412", "a recipe cannot be published",
     "A folder with a conanfile.py that has a name and a version can be, under a version that the\n"
     "registry does not have yet."},
    {"E0501", "a folder that is no SDK", "An SDK has `lib/cmake/apus/apus-config.cmake`, by which CMake finds it."},
    {"E0502", "an SDK that is not there",
     "`apus sdk list` lists those that are installed, and with `--from MIRROR` those that a mirror offers."},
    {"E0503", "an SDK that cannot be checked",
     "SHA256SUMS in its folder says what each file was when it was installed. Without it there is nothing\n"
     "to compare with: install the SDK again."},
    {"E0504", "a mirror that cannot be read",
     "A mirror is a folder, or an http, https or file URL, with an index.toml and the packages that it\n"
     "lists. Packages are fetched by curl, which follows the usual proxy variables."},
    {"E0505", "a package of an SDK that is not what it should be",
     "Its name is not that of a package for this machine, its SHA-256 is not the one that the mirror\n"
     "lists, or what is in it leads out of its folder. Nothing of it was installed."},
    {"E0506", "an SDK that is in use",
     "Projects that pin no SDK are built with it, and the tool itself may be in it. Use another first."},
    {"E0507", "a pinned SDK that is not installed",
     "`[sdk]` in apus.toml names a version, and maybe a profile: `version = \"0.1.0\"` with `profile = \"web\"`\n"
     "is the SDK 0.1.0-web. Without a profile it is 0.1.0-full; without a version, any of that profile. For a\n"
     "profile of `[sdk.profiles]`, any SDK will do that has its components. APUS_SDK, if set, is used instead."},
    {"E0508", "a folder that is no checkout of Apus",
     "`apus sdk install --from-source DIR` calls `DIR/apus install`, and takes the version from its CMakeLists.txt."},
    {"E0509", "a checkout of Apus that cannot be installed",
     "Its `./apus install` builds the release and has said above what went wrong. The SDKs that were there are\n"
     "as they were."},
    {"E0510", "packages of the system that were not installed",
     "`--install-packages` calls apt-get, as root or by sudo. A project is as it was. An SDK itself is installed: its\n"
     "programs can be built when the packages are there, and `apus sdk info NAME` lists those that are not."},
    {"E0519", "this program was not installed by `./apus install`",
     "`apus uninstall` removes what stands in PREFIX/lib/apus/sdk, and so has to be called as PREFIX/bin/apus.\n"
     "What a package has installed is removed by the system's package manager."},
    {"E0601", "a module or prefix that is there already",
     "`apus module list` shows the modules and their prefixes. Nothing was changed."},
    {"E0602", "a name or prefix that a module cannot have",
     "A module's name is a folder, a namespace and a part of file names: small letters, digits and\n"
     "`_`. Its prefix is the beginning of a path, as `/auth`, without captures and final `/`."},
    {"E0603", "a module that is not there",
     "What a module needs must be in modules/ of the same project. Libraries of others are added by\n"
     "`apus add`, and every module may use them."},
    {"E0604", "borders of modules are broken",
     "Each line of `apus module check` says where: a cycle of needs; an include of a module that\n"
     "`needs` does not have, or `exports`, where a public header includes it; a need that is not used;\n"
     "an include of what is private to another module, or private and in a public header; a route\n"
     "or prefix that two have; a prefix that is mounted nowhere, or elsewhere; a migration without a\n"
     "number of its own. docs/modules.md tells why, and how each is mended."},
    {"E0701", "a package needs something that apus.toml does not say",
     "The hint has the line to add below `[package]`. docs/packaging.md has all that can be said there."},
    {"E0702", "there is no program to package",
     "A package holds one program, in ELF for x86_64 or aarch64: what the release build makes under the\n"
     "project's name, or what `--binary` names. A library is in the packages of the programs that use it."},
    {"E0703", "a file that a package should have is not there",
     "`config`, `manual` and `[package.files]` in apus.toml name files by their paths in the project."},
    {"E0704", "a program that makes packages failed",
     "The message ends with what it said: dpkg-deb, rpmbuild, mmdebstrap or another that it names."},
    {"E0705", "the release build failed",
     "What the compiler said stands above. Packages are built in build/package by the preset `release`, or\n"
     "in build/package-NAME by that of `--preset NAME`."},
    {"E0706", "no toolchain for that machine",
     "clang 19 compiles for it, with the C++ library and the linker of Debian's packages g++-aarch64-linux-gnu and\n"
     "g++-x86-64-linux-gnu; the libraries that the program uses must be installed for that machine as well\n"
     "(`dpkg --add-architecture arm64`)."},
    {"E0707", "a shared library that the program needs is not here",
     "Images hold the program's libraries, and bills of materials list them. They are looked for where\n"
     "the distribution has those of the program's machine."},
    {"E0708", "an image's health check is not possible",
     "The image has nothing in it that could ask the server, so `apus-health` is put into it: of the tool's\n"
     "own installation or, for another machine, of the SDK that APUS_SDK names."},
    {"E0709", "a package is not what was made",
     "It was changed on its way, or another key than the one given has signed it."},
    {"E0710", "a signature cannot be made or checked",
     "Keys are of OpenSSH (`ssh-keygen -t ed25519`) or minisign. A package's signature is the file\n"
     "FILE.sig or FILE.minisig beside it."},
    {"E0801", "mending needs root",
     "Packages are installed and values of the kernel are set by root only: `sudo apus doctor --fix`.\n"
     "Without `--fix`, `apus doctor` shows the commands, so that each can be called by hand."},
    {"E0802", "a command that mends failed",
     "The message ends with what it said. apt-get may need `apt-get update` first; in a container, values\n"
     "of the kernel are set on the host."},
};

}  // namespace

std::span<const entry> catalogue() noexcept { return entries; }

const entry* find(std::string_view code) noexcept {
    const auto* at = std::ranges::find(entries, code, &entry::code);
    return at == std::end(entries) ? nullptr : at;
}

}  // namespace apus::cli::errors
