// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/component.hpp"

#include <filesystem>

#include "base/ascii.hpp"
#include "cli/dependencies/programs.hpp"
#include "cli/dependencies/system_source.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::dependencies {

namespace {

// Percent-encodes all characters except letters, digits and ".-_~", as package URLs require.
std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string made;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (base::is_letter(c) || base::is_digit(c) || std::string_view(".-_~").find(c) != std::string_view::npos)
            made += c;
        else made.append(1, '%').append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    }
    return made;
}

std::string url_of(std::string_view type, std::string_view name, std::string_view version) {
    return "pkg:" + std::string(type) + "/" + percent_encoded(name) + "@" + percent_encoded(version);
}

// Returns the id of the Linux distribution: "debian", "ubuntu".
std::string distribution() {
    std::error_code none;
    if (std::filesystem::exists("/etc/os-release", none)) {
        const std::string text = system::read_file("/etc/os-release");
        for (const std::string_view line : lines_of(text))
            if (line.starts_with("ID=")) return std::string(line.substr(3));
    }
    return "linux";
}

std::string package_url(const locked& one) {
    if (one.source == "conan")
        return url_of("conan", one.name, one.version) + (one.revision.empty() ? "" : "?rrev=" + one.revision);
    if (one.source == "git")
        return url_of("generic", one.name, one.version) +
               "?vcs_url=" + percent_encoded("git+" + one.from + "@" + one.revision);
    if (one.package.empty()) return url_of("generic", one.name, one.version);
    return distribution_package(one.package, one.revision, {}).url;
}

std::string reference_of(const locked& one) { return one.source + ":" + one.name; }

std::string license_of_package(const std::string& name) {
    const auto copyright = std::filesystem::path("/usr/share/doc") / name / "copyright";
    std::error_code none;
    return std::filesystem::exists(copyright, none) ? license_of_copyright(system::read_file(copyright)) : "";
}

}  // namespace

std::vector<component> components_of(const lock& all) {
    std::vector<component> made;
    made.reserve(all.size());
    for (const locked& one : all) {
        component each{.reference = reference_of(one),
                       .name = one.name,
                       .version = one.version,
                       .license = one.license,
                       .sha256 = one.sha256,
                       .url = package_url(one)};
        for (const std::string& need : one.needs)
            if (const locked* found = find(all, need)) each.needs.push_back(reference_of(*found));
        made.push_back(std::move(each));
    }
    return made;
}

std::vector<std::string> direct_references(const lock& all) {
    std::vector<std::string> made;
    for (const locked& one : all)
        if (one.direct()) made.push_back(reference_of(one));
    return made;
}

component distribution_package(const std::string& name, const std::string& version, const std::string& architecture) {
    std::string url = url_of("deb/" + distribution(), name, version);
    if (architecture.empty()) return {.reference = url, .name = name, .version = version, .url = url};
    url.append("?arch=").append(architecture);
    return {.reference = url, .name = name, .version = version, .license = license_of_package(name), .url = url};
}

component apus_component(const std::string& version) {
    return {.reference = "apus@" + version,
            .name = "apus",
            .version = version,
            .license = "Apache-2.0",
            .url = url_of("generic", "apus", version)};
}

}  // namespace apus::cli::dependencies
