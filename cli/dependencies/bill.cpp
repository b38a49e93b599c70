// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/bill.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <vector>

#include "base/ascii.hpp"
#include "cli/dependencies/programs.hpp"
#include "cli/dependencies/reports.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::dependencies {

namespace {

std::string pair(std::string_view key, std::string_view value) { return json_string(key) + ": " + json_string(value); }

std::string joined(const std::vector<std::string>& parts, const char* between) {
    std::string text;
    for (const std::string& part : parts) text.append(&part == &parts.front() ? "" : between).append(part);
    return text;
}

// As a package URL wants what is not a letter, a digit or one of ".-_~".
std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string made;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (base::is_letter(c) || base::is_digit(c) || std::string_view(".-_~").find(c) != std::string_view::npos) made += c;
        else made.append(1, '%').append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    }
    return made;
}

// "debian", "ubuntu".
std::string distribution() {
    std::error_code none;
    if (std::filesystem::exists("/etc/os-release", none)) {
        const std::string text = system::read_file("/etc/os-release");
        for (const std::string_view line : lines_of(text))
            if (line.starts_with("ID=")) return std::string(line.substr(3));
    }
    return "linux";
}

// https://github.com/package-url/purl-spec
std::string package_url(const locked& one) {
    if (one.source == "conan") return "pkg:conan/" + percent_encoded(one.name) + "@" + percent_encoded(one.version) + (one.revision.empty() ? "" : "?rrev=" + one.revision);
    if (one.source == "git") return "pkg:generic/" + percent_encoded(one.name) + "@" + percent_encoded(one.version) + "?vcs_url=" + percent_encoded("git+" + one.from + "@" + one.revision);
    if (one.package.empty()) return "pkg:generic/" + percent_encoded(one.name) + "@" + percent_encoded(one.version);
    return "pkg:deb/" + distribution() + "/" + percent_encoded(one.package) + "@" + percent_encoded(one.revision);
}

std::string bom_ref(const locked& one) { return one.source + ":" + one.name; }

std::string time_text() {
    const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
    const std::time_t at = epoch && *epoch ? static_cast<std::time_t>(std::strtoll(epoch, nullptr, 10)) : std::time(nullptr);
    std::tm parts{};
    gmtime_r(&at, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string licenses(const std::string& expression) { return expression.empty() ? "" : ", \"licenses\": [{" + pair("expression", expression) + "}]"; }

std::string component(const locked& one) {
    std::string text = "    {" + pair("type", "library") + ", " + pair("bom-ref", bom_ref(one)) + ", " + pair("name", one.name) + ", " + pair("version", one.version);
    if (!one.sha256.empty()) text += ", \"hashes\": [{" + pair("alg", "SHA-256") + ", " + pair("content", one.sha256) + "}]";
    return text + licenses(one.license) + ", " + pair("purl", package_url(one)) + "}";
}

std::string edges(const std::string& from, std::vector<std::string> to) {
    std::ranges::sort(to);
    for (std::string& each : to) each = json_string(each);
    return "    {" + pair("ref", from) + ", \"dependsOn\": [" + joined(to, ", ") + "]}";
}

}  // namespace

std::string licenses_of(const lock& all) {
    std::map<std::string, std::vector<std::string>> names;
    std::vector<std::string> unknown;
    for (const locked& one : all) (one.license.empty() ? unknown : names[one.license]).push_back(one.name + " " + one.version);
    std::string text;
    for (const auto& [license, packages] : names) text.append(license).append(": ").append(joined(packages, ", ")).append("\n");
    if (!unknown.empty()) text.append("not known: ").append(joined(unknown, ", ")).append("\n");
    return text;
}

std::string bill_of_materials(const manifest::manifest& project, const lock& all) {
    const std::string self = "project:" + project.project.name;
    std::vector<std::string> components, relations, direct;
    for (const locked& one : all) {
        components.push_back(component(one));
        if (one.direct()) direct.push_back(bom_ref(one));
    }
    relations.push_back(edges(self, direct));
    for (const locked& one : all) {
        std::vector<std::string> needs;
        for (const std::string& need : one.needs)
            if (const locked* found = find(all, need)) needs.push_back(bom_ref(*found));
        relations.push_back(edges(bom_ref(one), std::move(needs)));
    }
    return "{\n  " + pair("$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json") + ",\n  " + pair("bomFormat", "CycloneDX") + ",\n  " + pair("specVersion", "1.6") +
           ",\n  \"version\": 1,\n  \"metadata\": {\n    " + pair("timestamp", time_text()) + ",\n    \"tools\": {\"components\": [{" + pair("type", "application") + ", " +
           pair("name", "apus") + ", " + pair("version", APUS_VERSION) + "}]},\n    \"component\": {" + pair("type", "application") + ", " + pair("bom-ref", self) + ", " +
           pair("name", project.project.name) + ", " + pair("version", project.project.version) + licenses(project.project.license) + "}\n  },\n  \"components\": [\n" +
           joined(components, ",\n") + "\n  ],\n  \"dependencies\": [\n" + joined(relations, ",\n") + "\n  ]\n}\n";
}

}  // namespace apus::cli::dependencies
