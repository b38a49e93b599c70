// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/known.hpp"

#include <algorithm>
#include <utility>

#include "cli/manifest/document.hpp"
#include "cli/system/files.hpp"
#include "cli/system/paths.hpp"
#include "cli/text/nearest.hpp"

namespace apus::cli::dependencies {

known_libraries::known_libraries() {
    const auto file = system::shared_folder() / "libraries/system.toml";
    manifest::table root = manifest::document(system::read_file(file), "libraries/system.toml").root();
    for (const std::string& name : root.keys()) {
        manifest::table from = *root.inner(name);
        known one{.name = name};
        for (const auto& [key, where] : {std::pair{"debian", &known::debian}, {"pkg-config", &known::pkg_config}, {"cmake", &known::cmake}, {"target", &known::target}, {"license", &known::license}, {"conan", &known::conan}})
            one.*where = from.text(key).value_or("");
        from.end();
        all_.push_back(std::move(one));
    }
}

const known* known_libraries::find(std::string_view name) const {
    const auto matches = [&](const known& one) {
        return one.name == name || one.debian == name || one.pkg_config == name || (!one.cmake.empty() && one.cmake == name) || one.conan == name;
    };
    auto at = std::ranges::find(all_, name, &known::name);
    if (at == all_.end()) at = std::ranges::find_if(all_, matches);
    return at == all_.end() ? nullptr : &*at;
}

std::string known_libraries::did_you_mean(std::string_view name) const {
    std::vector<std::string_view> names;
    names.reserve(all_.size());
    for (const known& one : all_) names.push_back(one.name);
    return text::did_you_mean(name, names);
}

}  // namespace apus::cli::dependencies
