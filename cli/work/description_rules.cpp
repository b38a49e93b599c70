// SPDX-License-Identifier: Apache-2.0
#include "cli/work/description_rules.hpp"

#include <algorithm>
#include <set>

#include <apus/json.hpp>
#include <apus/json_value.hpp>

#include "base/ascii.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::work {

namespace {

constexpr std::string_view methods = "get|put|post|delete|options|head|patch|trace";
constexpr std::string_view places = "path|query|header|cookie";
constexpr std::string_view schema_types = "null|boolean|object|array|number|string|integer";
constexpr std::string_view component_kinds =
    "schemas|responses|parameters|examples|requestBodies|headers|securitySchemes|links|callbacks|pathItems";
constexpr std::string_view security_types = "apiKey|http|mutualTLS|oauth2|openIdConnect";

// Escapes a name for a JSON Pointer.
std::string escaped(std::string_view name) {
    std::string made;
    for (const char c : name) {
        if (c == '~') made += "~0";
        else if (c == '/') made += "~1";
        else made += c;
    }
    return made;
}

std::string text_at(const json_value& in, std::string_view pointer) {
    return in.get<std::string>(pointer).value_or("");
}

/// A value of the document and its JSON Pointer.
struct node {
    const json_value& value;
    std::string at;

    node member(const json_value::member& of) const { return {of.value, at + "/" + escaped(of.name)}; }
    node item(std::size_t i) const { return {value.items()[i], at + "/" + std::to_string(i)}; }
};

class reader {
public:
    explicit reader(const json_value& whole) : whole_(whole) {}

    std::vector<std::string> all() {
        const node root{whole_, ""};
        if (!whole_.is_object()) return tell(root, "must be an object"), std::move(found_);
        if (!text_at(whole_, "/openapi").starts_with("3.1.")) tell({whole_, "/openapi"}, "must be a version 3.1.x");
        for (const char* name : {"/info/title", "/info/version"})
            if (text_at(whole_, name).empty()) tell({whole_, name}, "must be a non-empty string");
        if (!whole_.find("/paths") && !whole_.find("/components") && !whole_.find("/webhooks"))
            tell(root, "must have `paths`, `components` or `webhooks`");
        with(root, "paths", [&](const node& paths) { look_at_paths(paths); });
        with(root, "components", [&](const node& components) { look_at_components(components); });
        with(root, "security", [&](const node& list) { look_at_security(list); });
        look_at_references(root);
        return std::move(found_);
    }

private:
    void tell(const node& where, const std::string& what) {
        found_.push_back((where.at.empty() ? "/" : where.at) + " " + what);
    }

    // Calls `look` with a member, if it exists.
    template <class Look>
    bool with(const node& of, const std::string& name, Look&& look) {
        const json_value* value = of.value.find("/" + name);
        if (value) look(node{*value, of.at + "/" + name});
        return value;
    }

    // Returns the target of a local reference, or the value itself.
    const json_value& target(const json_value& of) const {
        const std::string to = text_at(of, "/$ref");
        const json_value* found = to.starts_with("#/") ? whole_.find(to.substr(1)) : nullptr;
        return found ? *found : of;
    }

    void look_at_paths(const node& paths) {
        std::set<std::string> shapes;
        for (const auto& each : paths.value.members()) {
            const node path = paths.member(each);
            if (!each.name.starts_with('/')) tell(path, "must begin with `/`");
            std::string shape;
            const std::set<std::string> captured = captures_in(each.name, shape);
            if (!shapes.insert(shape).second) tell(path, "duplicates another path, apart from the names of parameters");
            for (const auto& operation : each.value.members())
                if (text::is_choice(operation.name, methods))
                    look_at_operation(path.member(operation), each.value, captured);
        }
    }

    // Returns the names in braces. Sets `shape` to the path without names.
    static std::set<std::string> captures_in(std::string_view path, std::string& shape) {
        std::set<std::string> names;
        for (std::size_t i = 0; i < path.size(); ++i) {
            const std::size_t end = path[i] == '{' ? path.find('}', i) : path.npos;
            shape += path[i];
            if (end == path.npos) continue;
            names.emplace(path.substr(i + 1, end - i - 1));
            i = end - 1;
        }
        return names;
    }

    void look_at_operation(const node& operation, const json_value& path, const std::set<std::string>& captured) {
        std::set<std::string> given;
        for (const json_value* of : {path.find("/parameters"), operation.value.find("/parameters")}) {
            std::set<std::string> seen;  // per list: a parameter of an operation may override a parameter of the path
            for (std::size_t i = 0; of && i < of->items().size(); ++i)
                look_at_parameter({target(of->items()[i]), operation.at + "/parameters/" + std::to_string(i)}, given,
                                  seen);
        }
        for (const std::string& name : captured)
            if (!given.contains(name)) tell(operation, "has no parameter for `{" + name + "}`");
        for (const std::string& name : given)
            if (!captured.contains(name))
                tell(operation, "has a parameter `" + name + "` in the path, which the path does not contain");
        if (const std::string id = text_at(operation.value, "/operationId"); !id.empty() && !ids_.insert(id).second)
            tell(operation, "has the operationId `" + id + "` of another operation");
        if (!with(operation, "responses", [&](const node& all) { look_at_responses(all); }))
            tell(operation, "has no `responses`");
        with(operation, "requestBody", [&](const node& body) {
            if (target(body.value).find("/content") == nullptr) tell(body, "has no `content`");
        });
        with(operation, "security", [&](const node& list) { look_at_security(list); });
    }

    void look_at_parameter(const node& here, std::set<std::string>& in_path, std::set<std::string>& seen) {
        const json_value& one = here.value;
        const std::string name = text_at(one, "/name"), in = text_at(one, "/in");
        if (name.empty()) tell(here, "has no `name`");
        if (!text::is_choice(in, places)) tell(here, "has `in` as `" + in + "`; allowed: " + text::enumeration(places));
        if (!seen.insert(in + " " + name).second) tell(here, "duplicates the parameter `" + name + "`");
        if (!one.find("/schema") == !one.find("/content")) tell(here, "must have either `schema` or `content`");
        if (in != "path") return;
        in_path.insert(name);
        if (!one.get<bool>("/required").value_or(false)) tell(here, "is in the path, so `required` must be true");
    }

    void look_at_responses(const node& all) {
        if (all.value.size() == 0) tell(all, "is empty");
        for (const auto& each : all.value.members()) {
            const node one = all.member(each);
            const bool status = each.name.size() == 3 && each.name[0] >= '1' && each.name[0] <= '5' &&
                                (each.name.ends_with("XX") || std::ranges::all_of(each.name, base::is_digit));
            if (!status && each.name != "default" && !each.name.starts_with("x-"))
                tell(one, "must be a status, such as `200` or `2XX`, or `default`");
            if (!target(each.value).get<std::string_view>("/description")) tell(one, "has no `description`");
        }
    }

    void look_at_components(const node& components) {
        for (const auto& kind : components.value.members()) {
            const node group = components.member(kind);
            if (!text::is_choice(kind.name, component_kinds) && !kind.name.starts_with("x-"))
                tell(group, "is an unknown kind of component");
            for (const auto& each : kind.value.members())
                if (each.name.empty() || !std::ranges::all_of(each.name, [](char c) {
                        return base::is_letter(c) || base::is_digit(c) || std::string_view(".-_").contains(c);
                    }))
                    tell(group.member(each), "has an invalid name; allowed: letters, digits, `.`, `-` and `_`");
        }
        const json_value* schemes = components.value.find("/securitySchemes");
        for (std::size_t i = 0; schemes && i < schemes->members().size(); ++i) {
            const auto& each = schemes->members()[i];
            if (const std::string type = text_at(target(each.value), "/type"); !text::is_choice(type, security_types))
                tell({each.value, components.at + "/securitySchemes/" + escaped(each.name)},
                     "has the type `" + type + "`; allowed: " + text::enumeration(security_types));
        }
    }

    void look_at_security(const node& list) {
        for (std::size_t i = 0; i < list.value.size(); ++i)
            for (const auto& each : list.item(i).value.members())
                if (!whole_.find("/components/securitySchemes/" + escaped(each.name)))
                    tell(list.item(i), "requires `" + each.name + "`, an unknown security scheme");
    }

    // Checks all targets of references, and the types of all schemas.
    void look_at_references(const node& here) {
        if (const std::string to = text_at(here.value, "/$ref"); to.starts_with('#') && !whole_.find(to.substr(1)))
            tell(here, "refers to `" + to + "`, which does not exist");
        if (here.at.ends_with("/schema") || here.at.starts_with("/components/schemas/")) look_at_type(here);
        for (const auto& each : here.value.members())
            if (each.name != "example" && each.name != "examples" && each.name != "default" && each.name != "enum" &&
                each.name != "const")
                look_at_references(here.member(each));
        for (std::size_t i = 0; i < here.value.items().size(); ++i) look_at_references(here.item(i));
    }

    void look_at_type(const node& schema) {
        const json_value* type = schema.value.find("/type");
        if (!type || !schema.value.is_object() || schema.at.ends_with("/properties")) return;
        for (const json_value& each : type->is_list() ? type->items() : std::vector{*type})
            if (const std::string name = text_at(each, ""); !text::is_choice(name, schema_types))
                tell(schema, "has the type `" + name + "`; allowed: " + text::enumeration(schema_types));
    }

    const json_value& whole_;
    std::set<std::string> ids_{};
    std::vector<std::string> found_{};
};

}  // namespace

std::vector<std::string> wrong_with_description(std::string_view json) {
    const auto whole = from_json<json_value>(json);
    if (!whole) return {"/ is not valid JSON: " + whole.error().detail()};
    return reader(*whole).all();
}

}  // namespace apus::cli::work
