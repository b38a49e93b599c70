// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/bill_of_package.hpp"

#include <algorithm>

#include "cli/packaging/engine.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::packaging {

namespace {

using dependencies::component;

// Returns the version in the CMake files of the SDK, or `unless` if the SDK has no such files.
std::string version_of_sdk(const std::filesystem::path& sdk, std::string unless) {
    const auto file = sdk / "lib/cmake/apus/apus-config-version.cmake";
    std::error_code none;
    if (sdk.empty() || !std::filesystem::is_regular_file(file, none)) return unless;
    constexpr std::string_view before = "set(PACKAGE_VERSION \"";
    const std::string text = system::read_file(file);
    const auto at = text.find(before);
    if (at == text.npos) return unless;
    return text.substr(at + before.size(), text.find('"', at + before.size()) - at - before.size());
}

component apus_of(const product& of) {
    component made = dependencies::apus_component(version_of_sdk(of.sdk, of.of.sdk.version.value_or(APUS_VERSION)));
    if (!of.apus_library.empty()) {
        made.files.emplace_back(apus_library_folder(of) + "/" + of.apus_library.filename().string(),
                                sha256_of(of.apus_library));
        return made;
    }
    const auto archive = of.sdk / "lib/libapus.a";
    std::error_code none;
    if (!of.sdk.empty() && std::filesystem::is_regular_file(archive, none)) made.sha256 = sha256_of(archive);
    return made;
}

component package_of(const part& one) {
    component made = dependencies::distribution_package(one.name, one.version, one.architecture);
    for (const library& each : one.libraries) made.files.emplace_back(each.path, sha256_of(each.source));
    return made;
}

component file_of(const library& one) {
    return {.reference = "file:" + one.path, .name = one.path, .sha256 = sha256_of(one.source)};
}

// Returns Swagger UI, the renderer of apus::openapi_page (cmake/swagger_ui.cmake), if the program contains it.
std::vector<component> renderers_in(const std::string& program) {
    constexpr std::string_view before = "PACKAGE_VERSION:\"";
    const auto at = program.find(before);
    if (!program.contains("SwaggerUIBundle") || at == program.npos) return {};
    const std::size_t from = at + before.size();
    const std::string version = program.substr(from, program.find('"', from) - from),
                      url = "pkg:npm/swagger-ui-dist@" + version;
    return {{.reference = url, .name = "swagger-ui-dist", .version = version, .license = "Apache-2.0", .url = url}};
}

}  // namespace

dependencies::bill bill_of_package(const product& of) {
    const dependencies::lock locked = dependencies::read_lock_of(of.of.folder);
    const manifest::project_table& project = of.of.project;
    dependencies::bill made{.of = {.reference = of.program + "@" + project.version,
                                   .name = of.program,
                                   .version = project.version,
                                   .description = of.summary,
                                   .license = project.license},
                            .parts = dependencies::components_of(locked),
                            .time = date(of.epoch, "%Y-%m-%dT%H:%M:%SZ")};
    made.of.needs = dependencies::direct_references(locked);
    const std::size_t of_lock = made.parts.size();
    made.parts.push_back(apus_of(of));
    for (component& each : renderers_in(system::read_file(of.binary))) made.parts.push_back(std::move(each));
    for (const part& each : packages_of(libraries_of(of))) {
        if (!each.name.empty()) made.parts.push_back(package_of(each));
        else
            for (const library& one : each.libraries)
                if (!one.of_apus) made.parts.push_back(file_of(one));
    }
    for (std::size_t i = of_lock; i < made.parts.size(); ++i) made.of.needs.push_back(made.parts[i].reference);
    return made;
}

void add_packages(dependencies::bill& to, const std::vector<part>& packages) {
    for (const part& each : packages) {
        component one = package_of(each);
        const auto same = std::ranges::find_if(
            to.parts, [&](const component& other) { return !other.files.empty() && other.name == one.name; });
        if (same != to.parts.end() && same->reference == one.reference) continue;
        if (same != to.parts.end()) {
            std::erase(to.of.needs, same->reference);
            to.parts.erase(same);
        }
        to.of.needs.push_back(one.reference);
        to.parts.push_back(std::move(one));
    }
}

}  // namespace apus::cli::packaging
