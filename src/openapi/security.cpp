// SPDX-License-Identifier: Apache-2.0
#include "openapi/security.hpp"

#include "base/ascii.hpp"

#include <apus/json.hpp>

#include <map>

namespace apus::openapi {
namespace {

using proof = security_note::proof;

/// Security schemes that a request must satisfy together, with the required scopes of each.
using requirement = std::map<std::string, std::vector<std::string>>;
using alternatives = std::vector<requirement>;

json_value scheme_of(const security_note& note) {
    json_value made;
    made["type"] = note.by == proof::header || note.by == proof::cookie ? "apiKey" : "http";
    switch (note.by) {
        case proof::basic: made["scheme"] = "basic"; break;
        case proof::header: made["in"] = "header", made["name"] = note.name; break;
        case proof::cookie: made["in"] = "cookie", made["name"] = note.name; break;
        case proof::bearer:
            made["scheme"] = "bearer";
            if (!note.token_format.empty()) made["bearerFormat"] = note.token_format;
            break;
        case proof::nothing: break;
    }
    if (!note.description.empty()) made["description"] = note.description;
    return made;
}

// Returns a name that is valid as a key in components (OpenAPI 3.1, 4.8.7).
std::string component_name(const security_note& note) {
    if (note.by == proof::basic) return "basic";
    if (note.by == proof::bearer) return "bearer";
    std::string name = note.name;
    for (char& c : name) {
        const bool plain =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-';
        if (!plain) c = '_';
    }
    return name;
}

// Returns every combination of one of `these` with one of `those`.
alternatives both(const alternatives& these, const alternatives& those) {
    alternatives made;
    for (const requirement& one : these)
        for (const requirement& other : those) {
            made.push_back(one);
            for (const auto& [name, rights] : other)
                made.back()[name].insert(made.back()[name].end(), rights.begin(), rights.end());
        }
    return made;
}

alternatives with_rights(const alternatives& these, const std::vector<std::string>& all_of) {
    alternatives made = these;
    for (requirement& one : made)
        for (auto& [name, rights] : one) rights.insert(rights.end(), all_of.begin(), all_of.end());
    return made;
}

alternatives with_a_role(const alternatives& these, const std::vector<std::string>& any_of) {
    alternatives made;
    for (const std::string& role : any_of)
        for (requirement& one : with_rights(these, {role})) made.push_back(std::move(one));
    return made;
}

json_value written(const alternatives& these) {
    json_value made = json_value::list();
    for (const requirement& one : these) {
        json_value object = json_value::object();
        for (const auto& [name, rights] : one) {
            object[name] = json_value::list();
            for (const std::string& right : rights) object[name].push_back(right);
        }
        made.push_back(std::move(object));
    }
    return made;
}

/// Collects the notes of all middleware, from the outermost to the innermost.
struct way {
    alternatives known;        // accepted authentication schemes; empty: no authentication is required
    bool unknown_pass = true;  // whether requests without authentication reach the next middleware
    // Further requirements in addition to `known`; a request must meet one of these alternatives.
    alternatives besides{requirement{}};

    void identity(const std::string& name, bool may_be_missing) {
        if (!unknown_pass) return;  // requests that reach this middleware are already authenticated
        known.push_back({{name, {}}});
        unknown_pass = may_be_missing;
    }
    void extra(const std::string& name, bool may_be_missing) {
        alternatives choice{{{name, {}}}};
        if (may_be_missing) choice.emplace_back();
        besides = both(besides, choice);
    }
    void rights(const security_note& note) {
        if (!note.scopes.empty()) known = with_rights(known, note.scopes);
        if (!note.roles.empty()) known = with_a_role(known, note.roles);
        if (!note.scopes.empty() || !note.roles.empty()) unknown_pass = false;
    }
    alternatives all() && {
        if (unknown_pass) known.emplace_back();
        return both(known, besides);
    }
};

}  // namespace

std::string security_schemes::name_of(const security_note& note) {
    const json_value scheme = scheme_of(note);
    const std::string wanted = component_name(note);
    std::string name = wanted;
    for (unsigned number = 2;; ++number) {
        const json_value* known = all_.is_object() ? all_.find('/' + name) : nullptr;
        if (known && to_json(*known) == to_json(scheme)) return name;
        if (!known) break;
        name = wanted + '_' + std::to_string(number);
    }
    all_[name] = scheme;
    return name;
}

asked security_schemes::of(std::span<const security_note> notes, bool changes) {
    asked made;
    way through;
    bool proves = false;
    for (const security_note& note : notes) {
        if (note.only_changes && !changes) continue;
        made.forbidden |= note.forbids || !note.roles.empty() || !note.scopes.empty();
        if (!note.takes_field.empty()) made.fields.push_back(note.takes_field);
        if (note.by != proof::nothing) {
            const std::string name = name_of(note);
            if (note.one_is_enough) through.identity(name, note.may_be_missing);
            else through.extra(name, note.may_be_missing);
            made.unknown = proves = true;
            made.malformed |= note.by == proof::basic || note.by == proof::bearer;
        }
        through.rights(note);
    }
    if (proves) made.requirements = written(std::move(through).all());
    return made;
}

}  // namespace apus::openapi
