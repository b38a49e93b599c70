// SPDX-License-Identifier: Apache-2.0
#include "configuration/pages.hpp"

#include "base/ascii.hpp"
#include "configuration/toml_text.hpp"
#include "openapi/schema_set.hpp"
#include "schema/defaults.hpp"
#include "schema/expectation.hpp"
#include "schema/flat_values.hpp"

#include <apus/json.hpp>
#include <apus/json_value.hpp>

#include <algorithm>

namespace apus::configuration {
namespace {

using schema::kind;

std::string rule_of(const setting& of) {
    const schema::type* t = &of.type();
    while (t->what == kind::optional) t = t->element;
    const bool has_items = t->what == kind::list && !t->user && schema::is_single_value(*t->element);
    return schema::expectation(*t) + (has_items ? ", each " + schema::expectation(*t->element) : "");
}

// Returns the initial value of a setting as TOML; empty for secrets, and for empty values.
std::string initial_value(const page_subject& in, const setting& of) {
    const void* const value = of.secret ? nullptr : value_in(in.object, in.value, of.pointer);
    if (!value) return {};
    const kind what = of.type().what;
    const bool may_be_unset = what != kind::boolean && what != kind::integer && what != kind::natural &&
                              what != kind::number && what != kind::enumeration;
    return may_be_unset && schema::is_empty(of.type(), value) ? std::string() : shown_value(of.type(), value);
}

// Whether a value must be set: its struct and all structs around it are required.
bool is_required(const schema::type& object, std::string_view pointer) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    for (unsigned i = 0; i < object.field_count; ++i) {
        const schema::field& f = object.fields[i];
        if (f.name != pointer.substr(1, end - 1)) continue;
        const bool may_be_empty = schema::may_be_absent(*f.of) || (f.of->what == kind::map && f.of->least <= 0);
        if ((schema::omittable(object) >> i & 1) || may_be_empty || f.of->what == kind::optional) return false;
        return end == pointer.size() || is_required(*f.of, pointer.substr(end));
    }
    return false;
}

std::string facts_of(const page_subject& in, const setting& of) {
    std::string text = rule_of(of);
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    if (is_required(in.object, of.pointer)) return text + "; required";
    const std::string value = initial_value(in, of);
    return value.empty() ? text : text + "; default " + value;
}

std::string variables_of(const setting& of) {
    return of.from_files ? of.variable + ", " + of.variable + "_FILE, or the credential " + of.path : of.variable;
}

std::string_view placeholder(const setting& of) {
    if (of.from_files) return " FILE";
    return of.boolean ? "" : " VALUE";
}

std::string help_of(const page_subject& in, const setting& of) {
    std::string text = "  " + (of.option.empty() ? of.path : of.option + std::string(placeholder(of))) + "\n";
    if (!of.field->description.empty()) text += "      " + std::string(of.field->description) + "\n";
    text += "      " + facts_of(in, of) + "\n";
    return text + "      Environment: " + variables_of(of) + "\n";
}

// Returns the value of a setting in the example file: its initial value, or else a value of the right type.
std::string example_value(const page_subject& in, const setting& of) {
    if (const std::string value = initial_value(in, of); !value.empty()) return value;
    const schema::type* t = &of.type();
    while (t->what == kind::optional || t->what == kind::secret || t->what == kind::represented) t = t->element;
    switch (t->what) {
        case kind::boolean: return "false";
        case kind::integer:
        case kind::natural: return std::to_string(std::max<std::int64_t>(t->least, 0));
        case kind::number: return "0.0";
        case kind::list: return "[]";
        case kind::map: return "{}";
        default: return "\"\"";
    }
}

std::string table_of(std::string_view pointer) { return toml_keys(pointer.substr(0, pointer.rfind('/'))); }

// Replaces references to OpenAPI components by references to definitions of JSON Schema. Removes `required`, since the
// environment and the command line can set required values.
void adapt(json_value& schema) {
    if (schema.is_list()) {
        for (std::size_t i = 0; i < schema.size(); ++i) adapt(*schema.find("/" + std::to_string(i)));
        return;
    }
    if (!schema.is_object()) return;
    json_value made = json_value::object();
    for (const json_value::member& each : schema.members()) {
        if (each.name == "required" && each.value.is_list()) continue;
        json_value value = each.value;
        constexpr std::string_view components = "#/components/schemas/";
        const auto text = value.get<std::string>();
        if (each.name == "$ref" && text && text->starts_with(components))
            value = "#/$defs/" + text->substr(components.size());
        else adapt(value);
        made[each.name] = std::move(value);
    }
    schema = std::move(made);
}

}  // namespace

std::string help_page(const page_subject& in, std::string_view file, std::string_view prefix) {
    std::string text = "Settings, from ";
    text += file.empty() ? "the file of --config" : std::string(file);
    text += ", then the environment, then the command line; later sources override earlier ones:\n\n";
    for (const setting& each : in.settings) text += help_of(in, each);
    text += "\n  --config FILE      TOML file with settings";
    if (!file.empty()) text += ", in place of " + std::string(file);
    if (!prefix.empty()) text += "; also " + std::string(prefix) + "_CONFIG";
    return text +
           "\n"
           "  --config-show      print the settings with their sources, and exit\n"
           "  --config-check     check the settings, and exit\n"
           "  --config-schema    print the JSON Schema of the file, and exit\n"
           "  --config-example   print a file with all settings and their defaults, and exit\n";
}

std::string example_page(const page_subject& in, std::string_view file) {
    std::string text = "# Settings" + (file.empty() ? std::string() : " in " + std::string(file)) +
                       ". Values in comments are the defaults, or must be set.\n";
    std::vector<std::string> tables{{}};  // keys outside of tables come first
    for (const setting& each : in.settings)
        if (std::ranges::find(tables, table_of(each.pointer)) == tables.end()) tables.push_back(table_of(each.pointer));
    for (const std::string& table : tables) {
        if (!table.empty()) text += "\n# [" + table + "]\n";
        for (const setting& each : in.settings) {
            if (table_of(each.pointer) != table) continue;
            text += "\n";
            if (!each.field->description.empty()) text += "# " + std::string(each.field->description) + "\n";
            text += "# " + facts_of(in, each) + ". " + each.variable + "\n";
            text +=
                "# " + toml_keys(each.pointer.substr(each.pointer.rfind('/'))) + " = " + example_value(in, each) + "\n";
        }
    }
    return text;
}

std::string show_page(const page_subject& in, std::span<const std::string> places) {
    std::string text;
    for (std::size_t i = 0; i < in.settings.size(); ++i) {
        const setting& each = in.settings[i];
        const void* const value = value_in(in.object, in.value, each.pointer);
        const std::string shown = value ? shown_value(each.type(), value) : std::string();
        const std::string place = places[i].empty() ? "default" : places[i];
        text += shown.empty() ? "# " : "";
        text += toml_keys(each.pointer);
        if (shown.empty()) text += " is not set\n";
        else text.append(" = ").append(shown).append("  # ").append(place).append("\n");
    }
    return text;
}

std::string schema_page(const schema::type& object, const schema::type* server) {
    openapi::schema_set schemas;
    json_value whole = schemas.of(object);
    json_value of_server = server ? schemas.of(*server) : json_value();
    json_value definitions = std::move(schemas).components();
    const auto reference = *whole.get<std::string>("/$ref");
    if (server) definitions[reference.substr(reference.rfind('/') + 1)]["properties"]["server"] = std::move(of_server);
    json_value made;
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    made["$ref"] = reference;
    made["$defs"] = std::move(definitions);
    adapt(made);
    return to_json(made) + "\n";
}

}  // namespace apus::configuration
