// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "cli/modules/check.hpp"

namespace apus::cli::modules {

namespace {

namespace fs = std::filesystem;

std::string quoted_name(std::string_view name) { return "`" + std::string(name) + "`"; }

class boundary_check {
public:
    boundary_check(const fs::path& root, const std::vector<app_module>& all, std::vector<finding>& found)
        : root_(root), all_(all), found_(found) {}

    void look_at(const project_source& source) {
        for (const inclusion& each : source.facts.inclusions) look_at(source, each);
    }

    void unused(const app_module& of) {
        for (const std::string& need : of.needs)
            if (find(all_, need) && !used_.contains({of.name, need}))
                found_.push_back(
                    {of.file().string(), of.needs_line,
                     "`needs` has " + quoted_name(need) + ", but no file includes a header of this module"});
        for (const std::string& need : of.exports)
            if (find(all_, need) && !shown_.contains({of.name, need}))
                found_.push_back(
                    {of.file().string(), of.exports_line,
                     "`exports` has " + quoted_name(need) + ", but no public header includes a header of this module"});
    }

private:
    bool exists(const fs::path& file) const {
        std::error_code none;
        return fs::is_regular_file(root_ / file, none);
    }

    // Returns the file of the project to which an include refers; empty for headers outside the project.
    std::optional<fs::path> target(const project_source& source, const inclusion& what) const {
        if (fs::path beside = (source.file.parent_path() / what.name).lexically_normal(); what.quoted && exists(beside))
            return beside;
        const std::string& owner = source.at.owner;
        if (!owner.empty())
            if (const fs::path own = fs::path("modules") / owner / "src" / what.name; exists(own))
                return own.lexically_normal();
        for (const app_module& each : all_)
            if (const fs::path open = each.folder / "include" / what.name; exists(open)) return open.lexically_normal();
        if (fs::path named = fs::path(what.name).lexically_normal();
            named.string().starts_with("modules/") && exists(named))
            return named;
        return std::nullopt;
    }

    void tell(const project_source& source, const inclusion& what, std::string text) {
        found_.push_back({source.file.string(), what.line, std::move(text)});
    }

    void look_at(const project_source& source, const inclusion& what) {
        const auto file = target(source, what);
        if (!file) return missing(source, what);
        const place there = place_of(*file);
        if (there.owner == source.at.owner) {
            if (source.at.area == place::is::open && there.area != place::is::open)
                tell(source, what,
                     "a public header includes " + quoted_name(what.name) + ", which is private: " + file->string());
        } else if (there.owner.empty()) {
            tell(source, what,
                 "the module includes " + quoted_name(file->string()) +
                     " of the application: modules must not depend on the application");
        } else if (there.area != place::is::open) {
            tell(source, what,
                 quoted_name(what.name) + " is private to the module " + quoted_name(there.owner) + ": " +
                     file->string());
            used_.emplace(source.at.owner, there.owner);
        } else {
            use(source, what, there.owner);
        }
    }

    void use(const project_source& source, const inclusion& what, const std::string& other) {
        const app_module* of = find(all_, source.at.owner);
        if (!of) return;
        const bool shows = source.at.area == place::is::open;
        used_.emplace(of->name, other);
        if (shows) shown_.emplace(of->name, other);
        if (std::ranges::find(of->needs, other) == of->needs.end())
            tell(source, what,
                 "uses the module " + quoted_name(other) + ", which is missing in `needs` of " + of->file().string());
        else if (shows && std::ranges::find(of->exports, other) == of->exports.end())
            tell(source, what,
                 "a public header uses the module " + quoted_name(other) + ", which is missing in `exports` of " +
                     of->file().string());
    }

    // Reports an include of a missing header of a module, such as <users/gone.hpp>.
    void missing(const project_source& source, const inclusion& what) {
        const std::string first = what.name.substr(0, what.name.find('/'));
        if (what.name.contains('/') && find(all_, first))
            tell(source, what,
                 "missing header " + quoted_name(what.name) + " in the public headers of the module " +
                     quoted_name(first));
    }

    const fs::path& root_;
    const std::vector<app_module>& all_;
    std::vector<finding>& found_;
    std::set<std::pair<std::string, std::string>> used_{}, shown_{};  // pairs of a module and a module that it needs
};

}  // namespace

void check_boundaries(const fs::path& root, const std::vector<app_module>& all,
                      const std::vector<project_source>& sources, std::vector<finding>& found) {
    boundary_check check(root, all, found);
    for (const project_source& source : sources) {
        check.look_at(source);
        const app_module* of = find(all, source.at.owner);
        if (of && source.at.area == place::is::open &&
            !source.file.string().starts_with((of->folder / "include" / of->name / "").string()))
            found.push_back({source.file.string(), 1,
                             "public headers must be in " + (of->folder / "include" / of->name).string() +
                                 ", so that includes name the module"});
    }
    for (const app_module& each : all) check.unused(each);
}

}  // namespace apus::cli::modules
