// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/bill.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>

#include "cli/dependencies/programs.hpp"
#include "cli/dependencies/reports.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::dependencies {

namespace {

std::string pair(std::string_view key, std::string_view value) { return json_string(key) + ": " + json_string(value); }

std::string time_text() {
    const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
    const std::time_t at =
        epoch && *epoch ? static_cast<std::time_t>(std::strtoll(epoch, nullptr, 10)) : std::time(nullptr);
    std::tm parts{};
    gmtime_r(&at, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// Returns true for words joined by AND, OR or WITH, with or without parentheses. Does not check the words against SPDX.
bool is_expression(std::string_view license) {
    std::string plain;
    for (const char c : license)
        if (c != '(' && c != ')') plain += c;
    const auto words = words_of(plain);
    for (std::size_t i = 1; i < words.size(); i += 2)
        if (words[i] != "AND" && words[i] != "OR" && words[i] != "WITH") return false;
    return words.size() % 2 == 1;
}

std::string licenses(const std::string& license) {
    if (license.empty()) return {};
    return ", \"licenses\": [{" +
           (is_expression(license) ? pair("expression", license) : "\"license\": {" + pair("name", license) + "}") +
           "}]";
}

std::string hashes(const std::string& sha256) {
    return "\"hashes\": [{" + pair("alg", "SHA-256") + ", " + pair("content", sha256) + "}]";
}

std::string printed(const component& one, std::string_view type) {
    std::string text = "{" + pair("type", type) + ", " + pair("bom-ref", one.reference) + ", " + pair("name", one.name);
    if (!one.version.empty()) text += ", " + pair("version", one.version);
    if (!one.description.empty()) text += ", " + pair("description", one.description);
    if (!one.sha256.empty()) text += ", " + hashes(one.sha256);
    text += licenses(one.license);
    if (!one.url.empty()) text += ", " + pair("purl", one.url);
    std::vector<std::string> files;
    files.reserve(one.files.size());
    for (const auto& [path, sum] : one.files)
        files.push_back("{" + pair("type", "file") + ", " + pair("name", path) + ", " + hashes(sum) + "}");
    if (!files.empty()) text += ", \"components\": [" + text::joined(files, ", ") + "]";
    return text + "}";
}

std::string edges(const component& from) {
    std::vector<std::string> to = from.needs;
    std::ranges::sort(to);
    for (std::string& each : to) each = json_string(each);
    return "    {" + pair("ref", from.reference) + ", \"dependsOn\": [" + text::joined(to, ", ") + "]}";
}

// Returns a version 8 UUID (RFC 9562) derived from a digest, so that equal packages have equal serial numbers.
std::string serial(const std::string& sha256) {
    std::string made = "urn:uuid:";
    made.append(sha256, 0, 8).append("-").append(sha256, 8, 4).append("-8").append(sha256, 13, 3).append("-8");
    return made.append(sha256, 17, 3).append("-").append(sha256, 20, 12);
}

}  // namespace

std::string licenses_of(const lock& all) {
    std::map<std::string, std::vector<std::string>> names;
    std::vector<std::string> unknown;
    for (const locked& one : all)
        (one.license.empty() ? unknown : names[one.license]).push_back(one.name + " " + one.version);
    std::string text;
    for (const auto& [license, packages] : names)
        text.append(license).append(": ").append(text::joined(packages, ", ")).append("\n");
    if (!unknown.empty()) text.append("unknown: ").append(text::joined(unknown, ", ")).append("\n");
    return text;
}

std::string cyclonedx(const bill& all) {
    std::vector<std::string> components, relations{edges(all.of)};
    for (const component& one : all.parts) {
        components.push_back("    " + printed(one, "library"));
        relations.push_back(edges(one));
    }
    return "{\n  " + pair("$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json") + ",\n  " +
           pair("bomFormat", "CycloneDX") + ",\n  " + pair("specVersion", "1.6") +
           (all.of.sha256.empty() ? "" : ",\n  " + pair("serialNumber", serial(all.of.sha256))) +
           ",\n  \"version\": 1,\n  \"metadata\": {\n    " + pair("timestamp", all.time) +
           ",\n    \"tools\": {\"components\": [{" + pair("type", "application") + ", " + pair("name", "apus") + ", " +
           pair("version", APUS_VERSION) + "}]},\n    \"component\": " + printed(all.of, "application") +
           "\n  },\n  \"components\": [\n" + text::joined(components, ",\n") + "\n  ],\n  \"dependencies\": [\n" +
           text::joined(relations, ",\n") + "\n  ]\n}\n";
}

bill bill_of_project(const manifest::manifest& project, const lock& all) {
    bill made{.of = {.reference = "project:" + project.project.name,
                     .name = project.project.name,
                     .version = project.project.version,
                     .license = project.project.license},
              .parts = components_of(all),
              .time = time_text()};
    made.of.needs = direct_references(all);
    made.parts.push_back(apus_component(project.sdk.version.value_or(APUS_VERSION)));
    made.of.needs.push_back(made.parts.back().reference);
    return made;
}

}  // namespace apus::cli::dependencies
