// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/materials.hpp"

#include <apus/json.hpp>
#include <apus/json_value.hpp>

namespace apus::cli::packaging {

namespace {

// A package URL: of its characters only '+' and '~' of versions have to be escaped.
std::string url_of(const part& each) {
    std::string version;
    for (const char c : each.version) version += c == '+' ? "%2B" : c == ':' ? "%3A"
                                                                             : std::string(1, c);
    return "pkg:deb/debian/" + each.name + "@" + version + "?arch=" + each.architecture;
}

json_value component(std::string_view type, std::string_view reference, std::string_view name, std::string_view version) {
    json_value made;
    made["type"] = type;
    made["bom-ref"] = reference;
    made["name"] = name;
    made["version"] = version;
    return made;
}

json_value listed(json_value one) {
    json_value list;
    list.push_back(std::move(one));
    return list;
}

json_value program_of(const product& of, const std::string& reference, const std::string& sha256) {
    json_value made = component("application", reference, of.program, of.of.project.version);
    made["description"] = of.summary;
    json_value hash;
    hash["alg"] = "SHA-256";
    hash["content"] = sha256;
    made["hashes"] = listed(std::move(hash));
    if (!of.of.project.license.empty()) {
        json_value license;
        license["license"]["name"] = of.of.project.license;
        made["licenses"] = listed(std::move(license));
    }
    return made;
}

// A UUID of version 8 (RFC 9562), made of the package's own digest, so that the same package has the same.
std::string serial(const std::string& sha256) {
    std::string made = "urn:uuid:";
    made.append(sha256, 0, 8).append("-").append(sha256, 8, 4).append("-8").append(sha256, 13, 3).append("-8");
    return made.append(sha256, 17, 3).append("-").append(sha256, 20, 12);
}

}  // namespace

std::string bill_of_materials(const product& of, const std::vector<part>& parts, const std::string& sha256) {
    const std::string reference = of.program + "@" + of.of.project.version;
    json_value bill;
    bill["bomFormat"] = "CycloneDX";
    bill["specVersion"] = "1.6";
    bill["serialNumber"] = serial(sha256);
    bill["version"] = 1;
    bill["metadata"]["timestamp"] = date(of.epoch, "%Y-%m-%dT%H:%M:%SZ");
    bill["metadata"]["tools"]["components"] = listed(component("application", "tool", "apus", APUS_VERSION));
    bill["metadata"]["component"] = program_of(of, reference, sha256);
    json_value list = json_value::list(), needs = json_value::list(), dependency;
    for (const part& each : parts) {
        json_value library = component("library", url_of(each), each.name, each.version);
        library["purl"] = url_of(each);
        list.push_back(std::move(library));
        needs.push_back(url_of(each));
    }
    bill["components"] = std::move(list);
    dependency["ref"] = reference;
    dependency["dependsOn"] = std::move(needs);
    bill["dependencies"] = listed(std::move(dependency));
    return to_json(bill) + "\n";
}

}  // namespace apus::cli::packaging
