// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/libraries.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "cli/errors/failure.hpp"
#include "cli/packaging/engine.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::packaging {

namespace {

namespace fs = std::filesystem;

struct dynamic {
    std::string interpreter{};
    std::vector<std::string> needed{};
    std::string run_path{};
};

// Returns the text between two markers of a line; empty if absent.
std::string between(std::string_view line, std::string_view before, std::string_view after) {
    const auto from = line.find(before);
    if (from == line.npos) return {};
    line.remove_prefix(from + before.size());
    return std::string(line.substr(0, line.find(after)));
}

dynamic read_dynamic(const fs::path& file) {
    dynamic found;
    const std::string said = run_engine({.words = {"readelf", "-W", "-l", "-d", "--", file.string()}});
    for (const std::string_view line : text::split(said, '\n')) {
        if (auto name = between(line, "(NEEDED)", "\n"); !name.empty()) found.needed.push_back(between(name, "[", "]"));
        else if (auto path = between(line, "program interpreter: ", "]"); !path.empty())
            found.interpreter = std::move(path);
        else if (line.contains("(RUNPATH)") || line.contains("(RPATH)")) found.run_path = between(line, "[", "]");
    }
    return found;
}

bool is_of_apus(std::string_view name) { return name.starts_with("libapus.so"); }

library find_apus(const std::string& name, const product& of) {
    const std::string path = apus_library_folder(of) + "/" + name;
    if (!of.apus_library.empty()) return {.path = path, .source = of.apus_library, .of_apus = true};
    std::error_code none;
    for (const fs::path& folder : {of.sdk / "lib", of.sdk / "lib" / of.machine->triplet})
        if (!of.sdk.empty() && fs::exists(folder / name, none))
            return {.path = path, .source = fs::canonical(folder / name), .of_apus = true};
    throw errors::failure("E0707",
                          "the program needs `" + name + "`, and " +
                              (of.sdk.empty() ? "the SDK of the program is unknown"
                                              : "the SDK `" + of.sdk.string() +
                                                    "` does not have "
                                                    "it"),
                          "omit `--binary` to build the program with an SDK, or unset APUS_SHARED to link libapus.a");
}

library find_library(const std::string& name, const product& of) {
    if (is_of_apus(name)) return find_apus(name, of);
    const std::string triplet(of.machine->triplet);
    std::vector<fs::path> folders{"/lib/" + triplet, "/usr/lib/" + triplet, "/usr/" + triplet + "/lib"};
    if (of.machine == &architecture_named(""))
        folders.insert(folders.end(), {"/lib64", "/usr/lib64", "/usr/local/lib", "/lib", "/usr/lib"});
    std::error_code none;
    for (const fs::path& folder : folders) {
        if (!fs::exists(folder / name, none)) continue;
        const bool multiarch = folder.string().contains(triplet);
        const fs::path seen = multiarch ? fs::path("lib") / triplet : folder.relative_path();
        return {.path = (seen / name).string(), .source = fs::canonical(folder / name)};
    }
    throw errors::failure(
        "E0707", "the program needs `" + name + "`, which is not installed for " + std::string(of.machine->name),
        "install the package of the library: `apt-file search " + name + "` finds the package");
}

void check_run_path(const std::string& run_path, const product& of) {
    const std::string wanted = apus_library_path(of);
    if ((":" + run_path + ":").contains(":" + wanted + ":")) return;
    throw errors::failure("E0707",
                          "the program searches for libapus.so in `" + run_path +
                              "`, but packages install the library "
                              "in `" +
                              wanted + "`",
                          "set APUS_SHARED for the whole project, or pass `-Wl,-rpath,'" + wanted + "'` to the linker");
}

std::string other_path(const std::string& path) { return path.starts_with("/usr/") ? path.substr(4) : "/usr" + path; }

// Returns the package, such as "libc6:amd64", of each path that is known to dpkg.
std::map<std::string, std::string> owners_of(const std::vector<library>& libraries) {
    system::invocation search{.words = {"dpkg-query", "--search"}, .environment = {{"LC_ALL", "C"}}};
    for (const library& each : libraries) {
        search.words.push_back(each.source.string());
        search.words.push_back(other_path(each.source.string()));
    }
    std::map<std::string, std::string> found;
    if (libraries.empty()) return found;
    // Ignores the exit status: the command fails if a path is unknown to dpkg, but prints all known paths.
    const std::string said = system::run(search).out;
    for (const std::string_view line : text::split(said, '\n'))
        if (const auto end = line.find(": "); end != line.npos)
            found.emplace(line.substr(end + 2), line.substr(0, end));
    return found;
}

}  // namespace

std::vector<library> libraries_of(const product& of) {
    std::map<std::string, library> found;
    std::vector<std::string> waiting;
    dynamic program = read_dynamic(of.binary);
    if (!program.interpreter.empty()) {
        // Stores the loader under its file name, since libraries may also need it as a library.
        library loader = find_library(fs::path(program.interpreter).filename().string(), of);
        loader.path = program.interpreter.substr(1);
        found.emplace(fs::path(program.interpreter).filename().string(), std::move(loader));
    }
    if (std::ranges::any_of(program.needed, is_of_apus)) check_run_path(program.run_path, of);
    waiting = std::move(program.needed);
    while (!waiting.empty()) {
        const std::string name = std::move(waiting.back());
        waiting.pop_back();
        if (found.contains(name)) continue;
        const library& one = found.emplace(name, find_library(name, of)).first->second;
        std::ranges::move(read_dynamic(one.source).needed, std::back_inserter(waiting));
    }
    std::vector<library> all;
    all.reserve(found.size());
    for (auto& [name, one] : found) all.push_back(std::move(one));
    std::ranges::sort(all, {}, &library::path);
    return all;
}

std::optional<library> apus_library_of(const product& of) {
    for (library& each : libraries_of(of))
        if (each.of_apus) return std::move(each);
    return std::nullopt;
}

std::string apus_library_folder(const product& of) { return "usr/lib/" + of.name; }

std::string apus_library_path(const product& of) { return "$ORIGIN/../lib/" + of.name; }

std::vector<part> packages_in(std::string_view control) {
    std::vector<part> found;
    for (const std::string_view line : text::split(control, '\n')) {
        if (line.starts_with("Package: ")) found.push_back({.name = std::string(line.substr(9))});
        else if (found.empty()) continue;
        else if (line.starts_with("Version: ")) found.back().version = line.substr(9);
        else if (line.starts_with("Architecture: ")) found.back().architecture = line.substr(14);
    }
    return found;
}

std::vector<part> installed(const std::vector<std::string>& names) {
    if (names.empty() || !system::has_program("dpkg-query")) return {};
    system::invocation ask{
        .words = {"dpkg-query", "--show",
                  "--showformat=Package: ${Package}\nVersion: ${Version}\nArchitecture: ${Architecture}\n"}};
    ask.words.insert(ask.words.end(), names.begin(), names.end());
    // Ignores the exit status: the command fails if a name is unknown to dpkg, but prints all known names.
    std::vector<part> found = packages_in(system::run(ask).out);
    std::erase_if(found, [](const part& each) { return each.version.empty(); });
    return found;
}

std::vector<part> packages_of(const std::vector<library>& libraries) {
    std::map<std::string, part> found;
    const auto owners = system::has_program("dpkg-query") ? owners_of(libraries) : std::map<std::string, std::string>();
    system::invocation ask{
        .words = {"dpkg-query", "--show", "--showformat=${binary:Package} ${Package} ${Version} ${Architecture}\\n"}};
    for (const library& each : libraries) {
        // If /lib is a link to /usr/lib, each file has two paths, and dpkg knows only one of them.
        auto owner = owners.find(each.source.string());
        if (owner == owners.end()) owner = owners.find(other_path(each.source.string()));
        const std::string name = owner == owners.end() ? "" : owner->second;
        if (!name.empty() && !found.contains(name)) ask.words.push_back(name);
        found[name].libraries.push_back(each);
    }
    const std::string answer = ask.words.size() > 3 ? run_engine(ask) : "";
    for (const std::string_view line : text::split(answer, '\n')) {
        const auto words = text::split(line, ' ');
        if (words.size() != 4) continue;
        // dpkg prints some names with the architecture and others without.
        for (const std::string_view key : {words[0], words[1]})
            if (const auto at = found.find(std::string(key)); at != found.end())
                at->second.name = words[1], at->second.version = words[2], at->second.architecture = words[3];
    }
    std::vector<part> all;
    all.reserve(found.size());
    for (auto& [name, one] : found) all.push_back(std::move(one));
    return all;
}

}  // namespace apus::cli::packaging
