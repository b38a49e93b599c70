// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/conan_source.hpp"

#include <algorithm>

#include "cli/dependencies/version.hpp"
#include "cli/errors/failure.hpp"
#include "cli/manifest/document.hpp"
#include "cli/system/files.hpp"
#include "cli/system/paths.hpp"

namespace apus::cli::dependencies {

namespace {

namespace fs = std::filesystem;

// Lists versions, the latest first: "1.2.0, 1.1.0 and 4 more".
std::string listed(std::vector<std::string> versions) {
    std::ranges::sort(versions, [](const auto& a, const auto& b) { return compare_versions(a, b) > 0; });
    std::string text;
    for (std::size_t i = 0; i < versions.size() && i < 5; ++i) text.append(i ? ", " : "").append(versions[i]);
    if (versions.size() > 5) text.append(" and ").append(std::to_string(versions.size() - 5)).append(" more");
    return text;
}

std::string optional_file(const fs::path& file) {
    std::error_code none;
    return fs::exists(file, none) ? system::read_file(file) : std::string();
}

// Returns a text from a recipe. Throws E0408 for unsafe characters, since recipes are untrusted and the text becomes
// part of generated CMake code.
std::string word_for_cmake(manifest::table& of, std::string_view key) {
    std::string word = of.text(key).value_or("");
    if (!word.empty() && !manifest::is_plain_word(word))
        of.refuse("E0408", key, "is `" + word + "`, which is not a valid CMake name");
    return word;
}

std::string reference(const locked& one) {
    return one.package.empty() ? one.name + "/" + one.version : one.package.substr(0, one.package.find(':'));
}

}  // namespace

std::string conanfile_of(const lock& all) {
    std::string requirements;
    for (const locked& one : all)
        if (one.source == "conan" && one.direct())
            requirements.append("        self.requires(\"").append(reference(one)).append("\")\n");
    if (requirements.empty()) return {};
    return "# Written by `apus` from apus.lock. To install without `apus`: conan install cmake -of .apus/conan "
           "--build=missing\n"
           "from conan import ConanFile\n"
           "from conan.tools.cmake import CMakeDeps\n\n\n"
           "class Dependencies(ConanFile):\n"
           "    settings = \"os\", \"arch\", \"compiler\", \"build_type\"\n\n"
           "    def requirements(self):\n" +
           requirements +
           "\n    def generate(self):\n"
           "        # Every configuration of the project uses release builds of the packages.\n"
           "        for configuration in (\"Debug\", \"Release\", \"RelWithDebInfo\", \"MinSizeRel\"):\n"
           "            files = CMakeDeps(self)\n"
           "            files.configuration = configuration\n"
           "            files.generate()\n";
}

offer conan_source::find(const manifest::dependency& wanted, const std::string& name) {
    std::string reason;
    for (const remote& each : engine_.remotes()) {
        std::string here;
        try {
            const auto versions = engine_.versions(each, name);
            std::string best;
            for (const std::string& version : versions)
                if (satisfies(version, wanted.version) && (best.empty() || compare_versions(version, best) > 0))
                    best = version;
            if (!best.empty()) {
                locked found{.name = wanted.name,
                             .wanted = manifest::written(wanted),
                             .source = "conan",
                             .version = best,
                             .from = each.name,
                             .license = wanted.license};
                found.package = std::string(name).append("/").append(best);
                found.target = wanted.target;
                found.why = "it is the latest matching version in the registry `" + each.name + "`";
                return {.taken = std::move(found)};
            }
            here = versions.empty() ? "`" + each.name + "` does not have the package"
                                    : "`" + each.name + "` has " + listed(versions);
        } catch (const errors::failure& why) {
            // Ignores network errors of ConanCenter, which the user did not configure. The project's own registries
            // must respond.
            if (each.name != "conancenter" || why.code() != "E0405") throw;
            here = "ConanCenter cannot be reached";
        }
        reason.append(reason.empty() ? "" : "; ").append(here);
    }
    return {.reason = reason};
}

std::string conan_source::latest(const locked& one) {
    for (const remote& each : engine_.remotes()) {
        if (each.name != one.from) continue;
        engine_.refresh(each);
        std::string best;
        for (const std::string& version : engine_.versions(each, one.package.substr(0, one.package.find('/'))))
            if (best.empty() || compare_versions(version, best) > 0) best = version;
        return best;
    }
    return {};
}

// Sets revisions, hashes, licenses and targets of the packages that Conan resolved. Adds transitive dependencies.
void conan_source::complete(lock& all, const lock& before) const {
    const fs::path file = project_ / ".apus/conan/packages.toml";
    manifest::table root = manifest::document(system::read_file(file), file.filename().string()).root();
    for (manifest::table& each : root.each("package")) {
        const std::string name = each.needed_text("name"), version = each.text("version").value_or("");
        const std::string wanted = std::string(name).append("/").append(version);
        auto at = std::ranges::find_if(
            all, [&](const locked& one) { return one.source == "conan" && reference(one) == wanted; });
        if (at == all.end())
            at = all.insert(
                all.end(),
                locked{.name = name, .source = "conan", .version = version, .why = "another package needs it"});
        at->revision = each.text("revision").value_or("");
        at->package = std::string(wanted).append(":").append(each.text("package").value_or(""));
        at->sha256 = each.text("sha256").value_or("");
        if (at->license.empty()) at->license = each.line("license").value_or("");
        at->cmake = word_for_cmake(each, "cmake");
        if (at->target.empty()) at->target = word_for_cmake(each, "target");
        at->needs = each.texts("needs").value_or(std::vector<std::string>());
        const locked* old = cli::dependencies::find(before, at->name);
        if (old && old->revision == at->revision && old->sha256 != at->sha256)
            throw errors::failure("E0404",
                                  "the recipe of " + at->name + " " + at->version + " has hash " + at->sha256 +
                                      ", but apus.lock has " + old->sha256 + " for the same revision",
                                  "check why the recipe changed; `apus update " + at->name + "` accepts the change");
    }
}

void conan_source::install(lock& all, const lock& before, bool frozen) {
    std::erase_if(all, [](const locked& one) { return one.source == "conan" && !one.direct(); });
    const std::string asked = conanfile_of(all);
    const fs::path folder = project_ / ".apus/conan", pins = project_ / "cmake/conan.lock", stamp = folder / "stamp";
    if (asked.empty()) {
        system::remove_tree(pins);
        return;
    }
    std::error_code none;
    if (fs::exists(conan::home() / "p", none) && optional_file(stamp) == asked + optional_file(pins))
        return complete(all, before);
    for (const remote& each : engine_.remotes()) engine_.use(each);
    run_.shell().event("Resolving", "with Conan, because requirements are new or have changed");
    system::update_file(project_ / "cmake/conanfile.py", asked);
    std::vector<std::string> words{
        "install",           (project_ / "cmake").string(),
        "--output-folder",   folder.string(),
        "--build",           "missing",
        "--deployer",        (system::shared_folder() / "libraries/conan_packages.py").string(),
        "--deployer-folder", folder.string()};
    if (fs::exists(pins, none)) words.insert(words.end(), {"--lockfile", pins.string()});
    if (frozen) {
        if (!fs::exists(pins, none))
            throw errors::failure("E0403", "cmake/conan.lock is missing and cannot be created with --frozen",
                                  "run `apus lock` and commit the result");
    } else words.insert(words.end(), {"--lockfile-partial", "--lockfile-clean", "--lockfile-out", pins.string()});
    bool uses_conan_center = false;
    for (const locked& one : all)
        uses_conan_center |= one.source == "conan" && (one.from == "conancenter" || one.from.empty());
    for (const remote& each : engine_.remotes())
        if (uses_conan_center || each.name != "conancenter") words.insert(words.end(), {"-r", each.in_conan});
    engine_.call(std::move(words), "install the packages with Conan");
    complete(all, before);
    system::replace_file(stamp, asked + optional_file(pins));
}

}  // namespace apus::cli::dependencies
