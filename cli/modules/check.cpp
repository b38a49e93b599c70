// SPDX-License-Identifier: Apache-2.0
#include "cli/modules/check.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/ascii.hpp"

namespace apus::cli::modules {

namespace {

namespace fs = std::filesystem;

void check_needs(const std::vector<app_module>& all, std::vector<finding>& found) {
    std::set<std::string> told;  // modules of reported cycles
    for (const app_module& each : all) {
        for (const std::string& need : each.needs) {
            if (find(all, need)) continue;
            const std::string meant = closest_module(all, need);
            found.push_back({each.file().string(), each.needs_line,
                             "`needs` has `" + need + "`, an unknown module" + (meant.empty() ? "" : "; " + meant)});
        }
        const std::vector<std::string> circle =
            told.contains(each.name) ? std::vector<std::string>() : path_between(all, each.name, each.name);
        std::string way;
        for (const std::string& name : circle)
            way.append(way.empty() ? "`" : ", which needs `").append(name).append("`");
        if (!circle.empty()) found.push_back({each.file().string(), each.needs_line, way + ": a cycle"});
        told.insert(circle.begin(), circle.end());
    }
}

// Checks the names of migrations, such as "0001_users.sql". The numbers define the order and must be unique.
void check_migrations(const fs::path& root, const app_module& of, std::vector<finding>& found) {
    std::map<std::string, std::string> numbers;
    for (const fs::path& file : files_below(root, of.folder / "migrations", "|.sql|")) {
        const std::string name = file.filename().string();
        const std::size_t digits = std::min(
            name.size(), static_cast<std::size_t>(std::ranges::find_if_not(name, base::is_digit) - name.begin()));
        const std::string number = name.substr(0, digits);
        if (!digits || name[digits] != '_')
            found.push_back(
                {file.string(), 1, "the name of a migration must begin with a number: 0001_create_users.sql"});
        else if (const auto [other, is_new] = numbers.emplace(number, name); !is_new)
            found.push_back({file.string(), 1, "has the same number as " + other->second});
    }
}

}  // namespace

std::vector<std::string> path_between(const std::vector<app_module>& all, const std::string& from,
                                      const std::string& to) {
    std::map<std::string, std::string> reached_from;
    std::vector<std::string> waiting{from};
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        const std::string name = waiting[i];
        const app_module* here = find(all, name);
        for (const std::string& need : here ? here->needs : std::vector<std::string>())
            if (reached_from.emplace(need, name).second) waiting.push_back(need);
    }
    if (!reached_from.contains(to)) return {};
    std::vector<std::string> way{to};
    do way.push_back(reached_from.at(way.back()));
    while (way.back() != from);
    std::ranges::reverse(way);
    return way;
}

void check_declarations(const fs::path& root, const std::vector<app_module>& all, std::vector<finding>& found) {
    check_needs(all, found);
    for (const app_module& each : all) check_migrations(root, each, found);
    for (const fs::path& folder : folders_without_description(root))
        found.push_back({(folder / "module.toml").string(), 1, "is missing: each folder in modules/ is a module"});
}

std::vector<finding> check(const fs::path& root) {
    const std::vector<app_module> all = read_all(root);
    const std::vector<project_source> sources = read_sources(root, all);
    std::vector<finding> found;
    check_declarations(root, all, found);
    check_boundaries(root, all, sources, found);
    check_routes_and_prefixes(all, sources, found);
    std::ranges::sort(found, {}, [](const finding& each) { return std::tie(each.file, each.line, each.text); });
    return found;
}

}  // namespace apus::cli::modules
