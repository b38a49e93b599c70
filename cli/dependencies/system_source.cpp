// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/system_source.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/dependencies/version.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::dependencies {

namespace {

// Returns the modules in the output of `--print-requires`, without versions: "absl_base" for "absl_base >= 1".
std::vector<std::string> modules_of(std::string_view text) {
    std::vector<std::string> names;
    for (const std::string_view line : lines_of(text)) {
        const auto words = words_of(line);
        if (!words.empty() && std::ranges::find(names, words[0]) == names.end()) names.emplace_back(words[0]);
    }
    std::ranges::sort(names);
    return names;
}

std::string in_brackets(const std::string& package) { return package.empty() ? "" : " (" + package + ")"; }

}  // namespace

std::string license_of_copyright(std::string_view text) {
    // Licenses whose names in Debian and SPDX differ.
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"Expat", "MIT"},
        {"BSD-3-clause", "BSD-3-Clause"},
        {"BSD-2-clause", "BSD-2-Clause"},
        {"zlib", "Zlib"},
        {"Apache-2", "Apache-2.0"},
        {"GPL-2", "GPL-2.0-only"},
        {"GPL-2+", "GPL-2.0-or-later"},
        {"GPL-3+", "GPL-3.0-or-later"},
        {"LGPL-2.1", "LGPL-2.1-only"},
        {"LGPL-2.1+", "LGPL-2.1-or-later"},
        {"BSL-1", "BSL-1.0"},
    };
    bool first = true;
    for (const std::string_view line : lines_of(text)) {
        if (first && !line.starts_with("Format:")) return {};
        first = false;
        if (!line.starts_with("License:")) continue;
        const auto words = words_of(line.substr(8));
        if (words.size() != 1) return {};  // an expression in Debian's syntax, such as "A or B"
        for (const auto& [debian, spdx] : names)
            if (words[0] == debian) return std::string(spdx);
        return std::string(words[0]);
    }
    return {};
}

manifest::dependency system_source::completed(manifest::dependency wanted) const {
    const known* library = library_.find(wanted.name);
    if (!library || !wanted.package.empty() || !wanted.pkg_config.empty()) {
        if (wanted.pkg_config.empty() && wanted.cmake.empty()) wanted.pkg_config = wanted.name;
        return wanted;
    }
    wanted.package = library->debian;
    wanted.pkg_config = library->pkg_config;
    if (wanted.cmake.empty()) wanted.cmake = library->cmake;
    if (wanted.target.empty()) wanted.target = library->target;
    if (wanted.license.empty()) wanted.license = library->license;
    return wanted;
}

bool system_source::find_by_pkg_config(const manifest::dependency& wanted, locked& found) const {
    if (wanted.pkg_config.empty()) return false;
    found.version = run_.answer({"pkg-config", "--modversion", wanted.pkg_config});
    if (found.version.empty()) return false;
    const auto folder = run_.answer({"pkg-config", "--variable=pcfiledir", wanted.pkg_config});
    const auto owner = run_.answer({"dpkg-query", "-S", folder + "/" + wanted.pkg_config + ".pc"});
    found.package = owner.substr(0, std::min(owner.find(':'), owner.find(',')));
    found.pkg_config = wanted.pkg_config;
    return true;
}

bool system_source::find_by_package(const manifest::dependency& wanted, locked& found) const {
    if (wanted.package.empty()) return false;
    const auto answer = run_.answer({"dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", wanted.package});
    const auto words = words_of(answer);
    if (words.size() != 2 || words[0] != "installed") return false;
    found.version = upstream_version(words[1]);
    found.package = wanted.package;
    return true;
}

// Sets revision, license and hash of an installed package.
void system_source::describe(locked& found, const lock& before) const {
    if (found.package.empty()) return;
    found.revision = run_.answer({"dpkg-query", "-W", "-f", "${Version}", found.package});
    const locked* old = dependencies::find(before, found.name);
    if (old && old->package == found.package && old->revision == found.revision && !old->sha256.empty())
        found.sha256 = old->sha256;
    else {
        const std::string record = run_.answer({"apt-cache", "show", found.package + "=" + found.revision});
        for (const std::string_view line : lines_of(record))
            if (line.starts_with("SHA256: ")) found.sha256 = line.substr(8);
    }
    const auto copyright = std::filesystem::path("/usr/share/doc") / found.package / "copyright";
    std::error_code none;
    if (found.license.empty() && std::filesystem::exists(copyright, none))
        found.license = license_of_copyright(system::read_file(copyright));
}

void system_source::add_needed(const std::string& module, std::vector<std::string>& needs, std::vector<locked>& all,
                               const lock& before) const {
    for (const std::string& name :
         modules_of(run_.answer({"pkg-config", "--print-requires", "--print-requires-private", module}))) {
        if (!manifest::is_dependency_name(name)) continue;
        needs.push_back(name);
        if (std::ranges::find(all, name, &locked::name) != all.end()) continue;
        locked one{.name = name, .source = "system"};
        const known* library = library_.find(name);
        if (library) one.license = library->license;
        // Ignores modules that are not installed, since they may be needed only for static linking.
        if (!find_by_pkg_config({.name = name, .pkg_config = name}, one)) {
            needs.pop_back();
            continue;
        }
        describe(one, before);
        const std::size_t at = all.size();
        all.push_back(std::move(one));
        std::vector<std::string> more;
        add_needed(name, more, all, before);
        all[at].needs = std::move(more);
    }
}

std::string system_source::candidate(const std::string& debian_package) const {
    if (debian_package.empty()) return {};
    const std::string policy = run_.answer({"apt-cache", "policy", debian_package});
    for (const std::string_view line : lines_of(policy)) {
        const auto words = words_of(line);
        if (words.size() == 2 && words[0] == "Candidate:" && words[1] != "(none)") return std::string(words[1]);
    }
    return {};
}

offer system_source::absent(const manifest::dependency& wanted) const {
    const std::string version = candidate(wanted.package);
    if (version.empty())
        return {.reason =
                    "the system has no " + (wanted.package.empty() ? "pkg-config module `" + wanted.pkg_config + "`"
                                                                   : "package `" + wanted.package + "`")};
    const std::string said = wanted.package + " " + version + " is not installed";
    const bool fits = satisfies(upstream_version(version), wanted.version);
    return {.reason = fits ? said : said + ", and does not match the required version",
            .package = fits ? wanted.package : ""};
}

offer system_source::find(const manifest::dependency& asked, const lock& before) const {
    const manifest::dependency wanted = completed(asked);
    offer made;
    locked found{
        .name = wanted.name, .wanted = manifest::written(asked), .source = "system", .license = wanted.license};
    if (!find_by_pkg_config(wanted, found) && !find_by_package(wanted, found)) return absent(wanted);
    if (!satisfies(found.version, wanted.version))
        return {.reason = "the system has " + found.version + in_brackets(found.package)};
    describe(found, before);
    if (!found.pkg_config.empty()) add_needed(found.pkg_config, found.needs, made.needed, before);
    found.cmake = wanted.cmake;
    found.target = !wanted.target.empty()     ? wanted.target
                   : !found.cmake.empty()     ? found.cmake + "::" + found.cmake
                   : found.pkg_config.empty() ? ""
                                              : "PkgConfig::" + found.name;
    found.why = found.package.empty() ? "the library is installed" : "the distribution's package is installed";
    made.taken = std::move(found);
    return made;
}

}  // namespace apus::cli::dependencies
