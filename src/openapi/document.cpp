// SPDX-License-Identifier: Apache-2.0
#include "openapi/document.hpp"

#include "openapi/operations.hpp"
#include "web/method_set.hpp"
#include "web/route_pattern.hpp"

#include <apus/json.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <unordered_map>

namespace apus::openapi {
namespace {

using kind = web::route_pattern::kind;

/// All routes of one path.
struct path_item {
    std::string path;                   // the path template
    std::vector<std::string> captures;  // names of its captures
    json_value operations;
};

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

/// Paths by their shape, since in OpenAPI two paths that differ only in parameter names are the
/// same.
class path_table {
public:
    path_item& of(std::string_view route) {
        path_item made;
        std::string shape;
        for (const auto& [what, text] : web::read_route(route).segments) {
            shape += '/';
            made.path += '/';
            if (what == kind::text) {
                shape += text;
                made.path += text;
            } else {
                shape += '{';
                made.captures.emplace_back(text);
                made.path += '{' + made.captures.back() + '}';
            }
        }
        const auto [known, fresh] = by_shape_.try_emplace(shape, items_.size());
        if (fresh) items_.push_back(std::move(made));
        return items_[known->second];
    }
    std::vector<path_item>& items() noexcept { return items_; }

private:
    std::vector<path_item> items_;
    std::unordered_map<std::string, std::size_t> by_shape_;
};

/// Assigns a unique id to each operation.
class operation_ids {
public:
    explicit operation_ids(std::span<const web::described_route> routes) {
        for (const auto& route : routes)
            if (route.words && !route.words->operation_id.empty() && !taken_.insert(route.words->operation_id).second)
                throw std::logic_error("two routes have the operation_id \"" + route.words->operation_id + "\"");
    }

    /// Returns the operation id that the program has set, or an id made from method and path.
    std::string of(const web::described_route& route, std::string_view verb) {
        if (route.words && !route.words->operation_id.empty()) return route.words->operation_id;
        std::string id(verb);
        for (char c : route.path) {
            const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (plain) id += c;
            else if (id.back() != '_') id += '_';
        }
        if (id.back() == '_') id.pop_back();
        const std::string first = id;
        for (unsigned number = 2; !taken_.insert(id).second; ++number) id = first + '_' + std::to_string(number);
        return id;
    }

private:
    std::set<std::string> taken_;
};

json_value describe(const openapi_info& info) {
    json_value made;
    made["title"] = info.title;
    made["version"] = info.version;
    if (!info.description.empty()) made["description"] = info.description;
    return made;
}

}  // namespace

std::string document(const openapi_info& info, std::span<const web::described_route> routes) {
    schema_set schemas;
    security_schemes schemes;
    json_value responses = common_responses(schemas);
    operation_ids ids(routes);
    path_table paths;
    for (const auto& route : routes) {
        if (!route.about || (route.words && route.words->hidden)) continue;
        const std::string verb = lower(web::method_name(route.verb));
        path_item& item = paths.of(route.path);
        if (item.operations.is_object() && item.operations.find('/' + verb)) continue;
        json_value operation = describe(route, item.captures, ids.of(route, verb), schemas, schemes);
        item.operations[verb] = std::move(operation);
    }

    json_value all;
    all["openapi"] = "3.1.0";
    all["info"] = describe(info);
    all["paths"] = json_value::object();
    for (path_item& item : paths.items()) all["paths"][item.path] = std::move(item.operations);
    all["components"]["schemas"] = std::move(schemas).components();
    all["components"]["responses"] = std::move(responses);
    if (json_value known = std::move(schemes).components(); known.size() != 0)
        all["components"]["securitySchemes"] = std::move(known);
    return to_json(all);
}

}  // namespace apus::openapi
