// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "cli/modules/check.hpp"

namespace apus::cli::modules {

namespace {

std::string owner_text(const std::string& owner) {
    return owner.empty() ? "the application" : "the module `" + owner + "`";
}

// Removes the names of captures, which the router ignores: "/a/{id}" and "/a/{name}" are the same route.
std::string pattern_of(std::string_view route) {
    std::string pattern;
    for (std::size_t at = 0; at < route.size(); ++at) {
        pattern += route[at];
        if (route[at] != '{') continue;
        const std::size_t close = std::min(route.find('}', at), route.size());
        if (route.substr(at, close - at).ends_with("...")) pattern += "...";
        at = close - 1;
    }
    return pattern;
}

// The mounted apps and their prefixes in the sources of one module or of the application.
class mounted_parts {
public:
    void add(const source_facts& facts) {
        for (const literal_mount& each : facts.mounts)
            if (!each.what.ends_with("::make_app")) by_what_.emplace(each.what.substr(each.what.rfind(':') + 1), each);
    }

    // Returns the full path of a route, or nothing if the prefix of its app is not a literal.
    std::optional<std::string> path_of(const literal_route& route, const std::string& own_prefix) const {
        const auto before = prefix_of(route.receiver, route.maker, own_prefix, 0);
        if (!before) return std::nullopt;
        return route.path == "/" && !before->empty() ? *before : *before + route.path;
    }

private:
    std::optional<std::string> prefix_of(const std::string& receiver, const std::string& maker,
                                         const std::string& own_prefix, int depth) const {
        if (depth > 16) return std::nullopt;  // limits the recursion for apps that are mounted on each other
        auto at = by_what_.find(receiver);
        if (at == by_what_.end()) {
            if (maker.empty() || maker == "make_app") return own_prefix;
            at = by_what_.find(maker);
        }
        if (at == by_what_.end()) return std::nullopt;
        const auto before = prefix_of(at->second.onto, at->second.maker, own_prefix, depth + 1);
        return before ? std::optional(*before + at->second.prefix) : std::nullopt;
    }

    std::map<std::string, literal_mount> by_what_{};
};

struct route_owner {
    std::string owner;
    std::string place;
};

void check_routes(const std::vector<app_module>& all, const std::vector<project_source>& sources,
                  std::vector<finding>& found) {
    std::map<std::string, mounted_parts> parts;
    for (const project_source& source : sources)
        if (source.at.area != place::is::tests) parts[source.at.owner].add(source.facts);
    std::map<std::string, route_owner> claims;
    for (const project_source& source : sources) {
        if (source.at.area == place::is::tests) continue;
        const app_module* of = find(all, source.at.owner);
        if (of && of->prefix.empty()) continue;  // a module without a prefix can be mounted anywhere
        for (const literal_route& route : source.facts.routes) {
            const auto path = parts[source.at.owner].path_of(route, of ? of->prefix : "");
            if (!path) continue;
            const std::string what = route.method + " " + *path;
            const auto [first, is_new] =
                claims.emplace(route.method + " " + pattern_of(*path),
                               route_owner{source.at.owner, source.file.string() + ":" + std::to_string(route.line)});
            if (!is_new && first->second.owner != source.at.owner)
                found.push_back({source.file.string(), route.line,
                                 "the route `" + what + "` is also a route of " + owner_text(first->second.owner) +
                                     ": " + first->second.place});
        }
    }
}

void check_prefixes(const std::vector<app_module>& all, std::vector<finding>& found) {
    std::map<std::string, const app_module*> owners;
    for (const app_module& each : all) {
        if (each.prefix.empty()) continue;
        const auto [first, is_new] = owners.emplace(each.prefix, &each);
        if (!is_new)
            found.push_back({each.file().string(), each.prefix_line,
                             "the prefix `" + each.prefix + "` is also used by " + owner_text(first->second->name) +
                                 ": " + first->second->file().string() + ":" +
                                 std::to_string(first->second->prefix_line)});
    }
}

// Checks that the application mounts each module at the prefix in its module.toml.
void check_mounts(const std::vector<app_module>& all, const std::vector<project_source>& sources,
                  std::vector<finding>& found) {
    std::map<std::string, bool> mounted;
    for (const project_source& source : sources) {
        if (source.at.area == place::is::tests) continue;
        for (const literal_mount& each : source.facts.mounts) {
            const app_module* of =
                each.what.ends_with("::make_app") ? find(all, each.what.substr(0, each.what.size() - 10)) : nullptr;
            if (!of) continue;
            mounted[of->name] = true;
            if (each.prefix != of->prefix && each.onto == "app")
                found.push_back({source.file.string(), each.line,
                                 "mounts " + owner_text(of->name) + " at `" + each.prefix + "`, but " +
                                     of->file().string() + " has " +
                                     (of->prefix.empty() ? "no prefix" : "the prefix `" + of->prefix + "`")});
        }
    }
    for (const app_module& each : all)
        if (!each.prefix.empty() && !mounted[each.name])
            found.push_back({each.file().string(), each.prefix_line,
                             "the module is not mounted: add `app.mount(\"" + each.prefix + "\", " + each.name +
                                 "::make_app());`"});
}

}  // namespace

void check_routes_and_prefixes(const std::vector<app_module>& all, const std::vector<project_source>& sources,
                               std::vector<finding>& found) {
    check_prefixes(all, found);
    check_mounts(all, sources, found);
    check_routes(all, sources, found);
}

}  // namespace apus::cli::modules
