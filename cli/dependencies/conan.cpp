// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/conan.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/paths.hpp"

namespace apus::cli::dependencies {

namespace {

namespace fs = std::filesystem;

// The tested version, also listed in libraries/conan_requirements.txt. The output of other versions may differ.
constexpr std::string_view version = "2.34.0";
constexpr std::string_view settings =
    "# Written by `apus`.\n"
    "core:non_interactive = True\n"
    "core.net.http:timeout = (5, 60)\n"
    "core.net.http:max_retries = 1\n";

// Returns an FNV-1a hash of a registry's location. The names of Conan remotes include this hash, since registries of
// two projects may have the same name.
std::string short_hash(std::string_view text) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    constexpr std::string_view digits = "0123456789abcdef";
    std::string made;
    for (int i = 0; i < 8; ++i, hash >>= 4) made += digits[hash & 15];
    return made;
}

bool is_git(std::string_view where) { return where.starts_with("git+") || where.ends_with(".git"); }

bool is_server(std::string_view where) {
    return (where.starts_with("http://") || where.starts_with("https://")) && !is_git(where);
}

fs::path environment() { return system::data_folder() / ("conan-" + std::string(version)); }

// Returns the line with the error message in Conan's standard error.
std::string_view error_line(std::string_view text) {
    for (const std::string_view line : lines_of(text))
        if (line.starts_with("ERROR: ")) return line.substr(7);
    return last_line(text);
}

}  // namespace

fs::path conan::home() { return system::cache_folder() / "conan"; }

conan::conan(const programs& run, const std::vector<manifest::registry>& registries, fs::path project, bool offline)
    : run_(run), project_(std::move(project)), offline_(offline) {
    for (const manifest::registry& each : registries) {
        const bool server = is_server(each.where);
        std::string place = each.where;
        if (is_git(place)) place = (system::cache_folder() / "registries" / short_hash(place)).string();
        else if (!server) place = (project_ / place).lexically_normal().string();
        std::string git =
            is_git(each.where) ? each.where.substr(each.where.starts_with("git+") ? 4 : 0) : std::string();
        if (!git.empty() && git.find(':') == git.npos) git = (project_ / git).lexically_normal().string();
        remotes_.push_back({each.name, each.name + "-" + short_hash(place), place, !server, std::move(git)});
    }
    remotes_.push_back({"conancenter", "conancenter", "https://center2.conan.io", false, {}});
}

bool conan::is_there() {
    const char* own = std::getenv("APUS_CONAN");
    std::error_code none;
    return (own && *own) || fs::exists(environment() / "bin/python3", none);
}

void conan::install_environment() {
    const fs::path place = environment();
    program_ = {(place / "bin/python3").string(), "-m", "conans.conan"};
    std::error_code none;
    if (fs::exists(place / "bin/python3", none)) return;
    if (offline_)
        throw errors::failure("E0407", "Conan is not installed and cannot be fetched with --offline",
                              "run the command once without --offline, or set APUS_CONAN to an installed Conan 2");
    run_.shell().event("Installing", "Conan " + std::string(version) + " for the tool");
    system::make_folder(place.parent_path());
    system::staged_folder made(place);
    const system::outcome venv = run_.ask({"python3", "-m", "venv", made.path().string()});
    if (!venv.ok())
        throw errors::failure(
            "E0407",
            "python3 cannot create a virtual environment for Conan: " + std::string(last_line(venv.error + venv.out)),
            "apt-get install python3-venv");
    const system::outcome pip = run_.ask({(made.path() / "bin/python3").string(), "-m", "pip", "--quiet",
                                          "--disable-pip-version-check", "install", "--require-hashes", "--requirement",
                                          (system::shared_folder() / "libraries/conan_requirements.txt").string()});
    if (pip.error.contains("DO NOT MATCH THE HASHES"))
        throw errors::failure("E0404",
                              "hash mismatch: the files that pip fetched for Conan differ from the hashes in "
                              "`libraries/conan_requirements.txt` of the tool",
                              "contact the administrator of your pip index");
    if (!pip.ok())
        throw errors::failure("E0407", "pip cannot install Conan: " + std::string(last_line(pip.error)),
                              "check the network, or set APUS_CONAN to an installed Conan 2");
    made.commit();
}

void conan::prepare() {
    if (!program_.empty()) return;
    alone_.emplace(home(), [this] { run_.shell().event("Waiting", "for another `apus` process that uses Conan"); });
    if (const char* own = std::getenv("APUS_CONAN"); own && *own) program_ = {own};
    else install_environment();
    system::update_file(home() / "global.conf", settings);
    std::error_code none;
    if (!fs::exists(home() / "profiles/default", none)) call({"profile", "detect"}, "detect the compiler");
}

std::string conan::call(std::vector<std::string> words, std::string_view act) {
    prepare();
    words.insert(words.begin(), program_.begin(), program_.end());
    system::outcome ended =
        run_.ask(system::invocation{.words = std::move(words), .environment = {{"CONAN_HOME", home().string()}}});
    if (ended.ok()) return std::move(ended.out);
    const std::string said = "cannot " + std::string(act) + ": " + std::string(error_line(ended.error));
    if (is_about_the_network(ended.error))
        throw errors::failure("E0405", said, "check the network and the registry's address");
    if (run_.shell().level() == terminal::verbosity::verbose) run_.shell().copy_error(ended.error);
    throw errors::failure("E0408", said, "`-v` shows the output of Conan");
}

void conan::clone(const remote& at) {
    if (offline_)
        throw errors::failure(
            "E0405", "the registry `" + at.name + "` has not been fetched and cannot be fetched with --offline",
            "run once without --offline");
    run_.shell().event("Fetching", "the registry " + at.name + " from " + at.git);
    system::make_folder(fs::path(at.place).parent_path());
    system::staged_folder made(at.place);
    run_.need({"git", "clone", "--quiet", "--", at.git, made.path().string()}, "fetch the registry `" + at.name + "`");
    made.commit();
}

void conan::refresh(const remote& at) {
    std::error_code none;
    if (at.git.empty() || offline_ || !fs::exists(at.place, none)) return;
    run_.need({"git", "-C", at.place, "pull", "--quiet", "--ff-only"}, "update the registry `" + at.name + "`");
}

void conan::use(const remote& at) {
    if (at.name == "conancenter") return;
    prepare();
    const fs::path file = home() / "remotes.json";
    std::error_code none;
    if (!at.git.empty() && !fs::exists(at.place, none)) clone(at);
    if (at.folder && !fs::is_directory(fs::path(at.place) / "recipes", none))
        throw errors::failure("E0408", "the registry `" + at.name + "` has no folder `recipes` in `" + at.place + "`",
                              "`apus registry list` shows the locations of registries");
    if (fs::exists(file, none) && system::read_file(file).find("\"" + at.in_conan + "\"") != std::string::npos) return;
    std::vector<std::string> words{"remote", "add", "--force", at.in_conan, at.place};
    if (at.folder) words.insert(words.end(), {"--type", "local-recipes-index"});
    call(std::move(words), "use the registry `" + at.name + "`");
}

std::vector<std::string> conan::search(const remote& at, const std::string& pattern) {
    if (offline_ && !at.folder)
        throw errors::failure("E0405",
                              "the registry `" + at.name + "` is a server and cannot be reached with --offline");
    use(at);
    std::vector<std::string> found;
    const std::string listing = call({"list", pattern, "-r", at.in_conan}, "query the registry `" + at.name + "`");
    for (const std::string_view line : lines_of(listing)) {
        const auto words = words_of(line);
        if (is_about_the_network(line))
            throw errors::failure("E0405", "the registry `" + at.name + "` does not respond",
                                  "check the network and the registry's address");
        if (words.size() == 1 && words[0].find('/') != words[0].npos) found.emplace_back(words[0]);
    }
    return found;
}

std::vector<std::string> conan::versions(const remote& at, const std::string& name) {
    std::vector<std::string> found = search(at, name + "/*");
    std::erase_if(found, [&](const std::string& ref) { return !ref.starts_with(name + "/"); });
    for (std::string& ref : found) ref.erase(0, name.size() + 1);
    return found;
}

}  // namespace apus::cli::dependencies
