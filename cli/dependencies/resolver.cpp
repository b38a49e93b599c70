// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/resolver.hpp"

#include <algorithm>
#include <utility>

#include "cli/dependencies/system_packages.hpp"
#include "cli/dependencies/version.hpp"
#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::dependencies {

namespace {

namespace fs = std::filesystem;

// Adds packages to `into`. A direct dependency replaces an entry with the same name.
void merge(lock& into, std::vector<locked>&& more) {
    for (locked& one : more) {
        const auto at = std::ranges::find(into, one.name, &locked::name);
        if (at == into.end()) into.push_back(std::move(one));
        else if (one.direct()) *at = std::move(one);
    }
}

std::vector<locked> with_needed(offer&& from) {
    std::vector<locked> all{std::move(*from.taken)};
    for (locked& one : from.needed) all.push_back(std::move(one));
    return all;
}

}  // namespace

resolver::resolver(const manifest::manifest& project, modes how, terminal::shell& shell)
    : project_(project),
      how_(how),
      run_(shell),
      system_(run_, library_),
      git_(run_, how.offline),
      engine_(run_, project.registries, project.folder, how.offline),
      conan_(run_, engine_, project.folder) {}

std::string resolver::conan_name(const std::string& name) const {
    const known* library = library_.find(name);
    return library && !library->conan.empty() ? library->conan : name;
}

offer resolver::find_in_system(const manifest::dependency& wanted, const lock& before) {
    offer found = system_.find(wanted, before);
    if (found.package.empty()) return found;
    if (!how_.packages) reject_missing(wanted, found);
    install_packages({found.package}, run_.shell());
    offer now = system_.find(wanted, before);
    if (!now.package.empty()) reject_missing(wanted, now);
    return now;
}

void resolver::reject_missing(const manifest::dependency& wanted, const offer& system) const {
    const bool known = std::ranges::find(project_.dependencies, wanted.name, &manifest::dependency::name) !=
                       project_.dependencies.end();
    throw errors::failure("E0409", system.reason,
                          "`" + (known ? std::string("apus lock") : "apus add " + wanted.name) +
                              " --install-packages`, or `apt-get install " + system.package +
                              "` and retry; or `apus add " + wanted.name + " --from conan`");
}

// Throws E0401 if the name looks misspelled, before Conan is started or installed. Called only for dependencies without
// `from`.
void resolver::reject_misspelled(const manifest::dependency& wanted, const std::string& reason) const {
    if (library_.find(wanted.name)) return;
    const known* meant = library_.find_similar(wanted.name);
    const std::string hint = meant               ? "did you mean `" + meant->name + "`?"
                             : conan::is_there() ? ""
                                                 : library_.did_you_mean(wanted.name);
    if (hint.empty()) return;
    throw errors::failure("E0401", "no source provides " + wanted.name + ": " + reason,
                          hint + " `apus add " + wanted.name + " --from conan` searches Conan for that name");
}

std::vector<locked> resolver::choose(const manifest::dependency& wanted, const lock& before) {
    if (wanted.from == "git") return {git_.take(wanted)};
    std::string reason;
    if (wanted.from != "conan") {
        offer system = find_in_system(wanted, before);
        if (system.taken) return with_needed(std::move(system));
        reason = system.reason;
    }
    if (wanted.from.empty()) reject_misspelled(wanted, reason);
    if (wanted.from != "system") {
        offer made = conan_.find(wanted, conan_name(wanted.name));
        if (made.taken) {
            if (!reason.empty()) made.taken->why = reason + ", and " + made.taken->why;
            return {std::move(*made.taken)};
        }
        reason.append(reason.empty() ? "" : "; ").append(made.reason);
    }
    const std::string what = wanted.name + (wanted.version == "*" ? "" : " " + wanted.version);
    std::string hint = library_.find(wanted.name) ? "" : library_.did_you_mean(wanted.name);
    if (hint.empty()) hint = library_.related(wanted.name);
    if (!hint.empty() && !hint.starts_with("did")) hint += "; ";
    if (!hint.starts_with("did")) hint += "`apus add " + wanted.name + " --git URL --rev TAG` fetches a git repository";
    throw errors::failure("E0401", "no source provides " + what + ": " + reason, hint);
}

bool resolver::is_still_valid(const manifest::dependency& wanted, const lock& before, std::vector<locked>& found) {
    const locked& old = *dependencies::find(before, wanted.name);
    if (old.wanted != manifest::written(wanted)) return false;
    if (old.source != "system") return true;
    // Looks up the distribution's package again, since the package may have changed or been removed after it was
    // locked.
    offer now = find_in_system(wanted, before);
    if (!now.taken) return false;
    now.taken->why = old.why;
    found = with_needed(std::move(now));
    return true;
}

void resolver::clear_pins(const std::vector<std::string>& names) {
    const fs::path pins = project_.folder / "cmake/conan.lock";
    std::error_code none;
    if (names.empty() || how_.frozen || !fs::exists(pins, none)) return;
    std::vector<std::string> words{"lock", "remove", "--lockfile", pins.string(), "--lockfile-out", pins.string()};
    for (const std::string& name : names) words.push_back("--requires=" + conan_name(name) + "/*");
    engine_.call(std::move(words), "remove packages from cmake/conan.lock");
}

lock resolver::resolve(const std::vector<manifest::dependency>& wanted, const lock& before,
                       const std::vector<std::string>& fresh, std::vector<locked> chosen) {
    lock all;
    std::vector<std::string> unpinned;
    for (const manifest::dependency& each : wanted) {
        system::throw_if_interrupted();
        const locked* old = dependencies::find(before, each.name);
        const bool asked_anew = std::ranges::find(fresh, each.name) != fresh.end();
        std::vector<locked> found;
        if (old && !asked_anew && is_still_valid(each, before, found)) {
            if (found.empty()) found.push_back(*old);
        } else {
            if (how_.frozen)
                throw errors::failure("E0403",
                                      "apus.toml requires " + each.name + " " + manifest::written(each) +
                                          ", but apus.lock " +
                                          (old ? "has the requirement " + old->wanted : "does not have it"),
                                      "run `apus lock` and commit the result");
            const bool is_chosen = !chosen.empty() && chosen.front().name == each.name;
            found = is_chosen ? std::exchange(chosen, {}) : choose(each, before);
            if (asked_anew && old && old->source == "conan") unpinned.push_back(each.name);
        }
        merge(all, std::move(found));
    }
    clear_pins(unpinned);
    std::vector<std::string> renewed = fresh;
    lock known = before;
    std::erase_if(known, [&](const locked& one) { return std::ranges::find(renewed, one.name) != renewed.end(); });
    conan_.install(all, known, how_.frozen);
    for (const locked& one : all)
        if (one.source == "git") git_.checkout(one);
    std::ranges::sort(all, {}, &locked::name);
    return all;
}

std::string resolver::latest(const locked& one) {
    if (one.source == "system") {
        const std::string candidate = system_.candidate(one.package);
        return candidate.empty() ? one.version : upstream_version(candidate);
    }
    if (one.source == "conan") return conan_.latest(one);
    if (how_.offline) return one.version;
    std::string best = one.version;
    const std::string tags = run_.need({"git", "ls-remote", "--tags", "--", one.from}, "list the tags of " + one.from);
    for (const std::string_view line : lines_of(tags)) {
        const auto at = line.find("refs/tags/");
        if (at == line.npos || line.ends_with("^{}")) continue;
        std::string_view tag = line.substr(at + 10);
        if (tag.starts_with('v')) tag.remove_prefix(1);
        if (!tag.empty() && tag[0] >= '0' && tag[0] <= '9' && compare_versions(tag, best) > 0) best = tag;
    }
    return best;
}

void resolver::link_sources(const lock& all) {
    const fs::path folder = project_.folder / ".apus/sources";
    std::error_code none;
    // Removes only symbolic links, since another tool may have created a folder.
    if (fs::is_symlink(folder, none)) fs::remove(folder, none);
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const locked* one = dependencies::find(all, entry.path().filename().string());
        if (entry.is_symlink(none) && (!one || one->source != "git")) fs::remove(entry.path(), none);
    }
    for (const locked& one : all) {
        if (one.source != "git") continue;
        const fs::path link = folder / one.name, files = git_.checkout(one);
        if (fs::read_symlink(link, none) == files) continue;
        system::make_folder(folder);
        fs::remove(link, none);
        std::error_code error;
        fs::create_directory_symlink(files, link, error);
        if (error) throw errors::system_failure("cannot make the link `" + link.string() + "`", error.value());
    }
}

}  // namespace apus::cli::dependencies
