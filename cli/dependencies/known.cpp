// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/known.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "cli/manifest/document.hpp"
#include "cli/system/files.hpp"
#include "cli/system/paths.hpp"
#include "cli/text/lists.hpp"
#include "cli/text/nearest.hpp"

namespace apus::cli::dependencies {

namespace {

// Normalizes a name: removes `lib`, `-dev` and punctuation, and converts letters to lower case. "pq" for libpq-dev.
std::string bare(std::string_view name) {
    std::string made;
    for (const char c : name)
        if (base::is_letter(c) || base::is_digit(c)) made += base::lowered(c);
    if (name.ends_with("-dev")) made.resize(made.size() - 3);
    return made.starts_with("lib") ? made.substr(3) : made;
}

bool is_spelled(const known& one, std::string_view name) {
    const std::string wanted = bare(name);
    const auto same = [&](std::string_view other) { return !other.empty() && bare(other) == wanted; };
    return same(one.name) || same(one.debian) || same(one.pkg_config) || same(one.cmake) || same(one.conan) ||
           std::ranges::any_of(one.other, same);
}

constexpr std::size_t telling = 5;  // number of leading characters that related names share

}  // namespace

known_libraries::known_libraries() {
    const auto file = system::shared_folder() / "libraries/system.toml";
    manifest::table root = manifest::document(system::read_file(file), "libraries/system.toml").root();
    for (const std::string& name : root.keys()) {
        manifest::table from = *root.inner(name);
        known one{.name = name};
        for (const auto& [key, where] : {std::pair{"debian", &known::debian},
                                         {"pkg-config", &known::pkg_config},
                                         {"cmake", &known::cmake},
                                         {"target", &known::target},
                                         {"license", &known::license},
                                         {"conan", &known::conan}})
            one.*where = from.text(key).value_or("");
        one.other = from.texts("other").value_or(std::vector<std::string>());
        from.end();
        all_.push_back(std::move(one));
    }
}

const known* known_libraries::find(std::string_view name) const {
    const auto matches = [&](const known& one) {
        return one.name == name || one.debian == name || one.pkg_config == name ||
               (!one.cmake.empty() && one.cmake == name) || one.conan == name;
    };
    auto at = std::ranges::find(all_, name, &known::name);
    if (at == all_.end()) at = std::ranges::find_if(all_, matches);
    return at == all_.end() ? nullptr : &*at;
}

const known* known_libraries::find_similar(std::string_view name) const {
    const auto at = std::ranges::find_if(all_, [&](const known& one) { return is_spelled(one, name); });
    return bare(name).empty() || at == all_.end() ? nullptr : &*at;
}

std::string known_libraries::related(std::string_view name) const {
    const std::string wanted = bare(name).substr(0, telling);
    std::vector<std::string> found;
    for (const known& one : all_)
        if (wanted.size() == telling && bare(one.name).starts_with(wanted)) found.push_back("`" + one.name + "`");
    return found.empty() ? std::string() : "the distribution has " + text::joined(found, ", ");
}

std::string known_libraries::did_you_mean(std::string_view name) const {
    std::vector<std::string_view> names;
    names.reserve(all_.size());
    for (const known& one : all_) names.push_back(one.name);
    return text::did_you_mean(name, names);
}

}  // namespace apus::cli::dependencies
