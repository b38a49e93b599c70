// SPDX-License-Identifier: Apache-2.0
#include "openapi/schema_set.hpp"

#include "openapi/ecma_pattern.hpp"
#include "openapi/fields.hpp"

#include <apus/json.hpp>

#include <limits>
#include <optional>
#include <stdexcept>

namespace apus::openapi {
namespace {

using schema::kind;

json_value typed(std::string_view name) {
    json_value made;
    made["type"] = name;
    return made;
}

json_value integer(const schema::type& t) {
    json_value made = typed("integer");
    if (t.width == 4 && t.what == kind::integer) made["format"] = "int32";
    if (t.width == 8 && t.what == kind::integer) made["format"] = "int64";
    made["minimum"] = t.least;
    made["maximum"] = t.greatest;
    return made;
}

json_value number(const schema::type& t) {
    json_value made = typed("number");
    made["format"] = t.width == sizeof(float) ? "float" : "double";
    if (t.minimum < t.maximum) {
        made["minimum"] = t.minimum;
        made["maximum"] = t.maximum;
    } else if (t.width == sizeof(float)) {
        made["minimum"] = std::numeric_limits<float>::lowest();
        made["maximum"] = std::numeric_limits<float>::max();
    }
    return made;
}

void restrict_size(json_value& made, const schema::type& t, std::string_view least, std::string_view most) {
    if (t.least > 0) made[least] = t.least;
    if (t.greatest != UINT64_MAX) made[most] = t.greatest;
}

json_value text(const schema::type& t) {
    json_value made = typed("string");
    restrict_size(made, t, "minLength", "maxLength");
    if (!t.text) return made;
    if (!t.text->format.empty()) made["format"] = t.text->format;
    // The server rejects URLs with other schemes.
    if (t.text->format == "uri") made["pattern"] = "^[Hh][Tt][Tt][Pp][Ss]?://";
    if (t.text->format == "email") made["maxLength"] = 254;
    if (!t.text->pattern.empty()) made["pattern"] = ecma_pattern(t.text->pattern);
    for (unsigned i = 0; i < t.text->choice_count; ++i) made["enum"].push_back(t.text->choices[i]);
    return made;
}

json_value enumeration(const schema::type& t) {
    json_value made = typed("string");
    for (unsigned i = 0; i < t.enumerator_count; ++i) made["enum"].push_back(t.enumerators[i].name);
    return made;
}

// Returns a schema that also allows null.
json_value nullable(json_value schema) {
    if (schema.size() == 0) return schema;  // an empty schema accepts any value, including null
    const json_value* type = schema.find("/type");
    if (type && type->is_list()) return schema;  // allows null already
    if (type && !schema.find("/enum")) {
        json_value either = json_value::list();
        either.push_back(std::move(schema["type"]));
        either.push_back("null");
        schema["type"] = std::move(either);
        return schema;
    }
    json_value made;
    made["anyOf"].push_back(std::move(schema));
    made["anyOf"].push_back(typed("null"));
    return made;
}

// Marks a field as writeOnly: only clients send it.
json_value unshown(json_value schema, const schema::type& t) {
    const schema::type& as = t.what == kind::represented ? *t.element : t;
    if (as.what == kind::text && !schema.find("/format")) schema["format"] = "password";
    schema["writeOnly"] = true;
    return schema;
}

/// Returns a value as JSON; null if JSON cannot represent it.
json_value printed(const schema::type& t, const void* value) {
    try {
        std::string text;
        detail::print_json(t, value, text);
        if (auto read = from_json<json_value>(text)) return *std::move(read);
    } catch (const std::domain_error&) {  // NaN, or an enumeration value without a name
        return {};
    }
    return {};
}

bool is_component(const schema::type& t) {
    return t.what == kind::object || (t.what == kind::enumeration && !t.name.empty());
}

}  // namespace

json_value schema_set::of(const schema::type& t) {
    json_value made;
    switch (t.what) {
        case kind::boolean: made = typed("boolean"); break;
        case kind::integer:
        case kind::natural: made = integer(t); break;
        case kind::number: made = number(t); break;
        case kind::text:
        case kind::view: made = text(t); break;
        case kind::time:
            made = typed("string");
            made["format"] = "date-time";
            break;
        case kind::enumeration: made = is_component(t) ? reference(t, {}) : enumeration(t); break;
        case kind::list:
            made = typed("array");
            made["items"] = of(*t.element);
            restrict_size(made, t, "minItems", "maxItems");
            break;
        case kind::map:
            made = typed("object");
            made["additionalProperties"] = of(*t.element);
            restrict_size(made, t, "minProperties", "maxProperties");
            break;
        case kind::optional: made = nullable(of(*t.element)); break;
        case kind::variant: made = variant(t); break;
        case kind::object: made = reference(t, {}); break;
        case kind::value: made = json_value::object(); break;
        case kind::file:
            made = typed("string");
            made["format"] = "binary";
            break;
        case kind::represented: made = of(*t.element); break;
        case kind::secret: made = unshown(of(*t.element), *t.element); break;
    }
    if (!t.expected.empty()) made["description"] = t.expected;
    if (t.user) made["description"] = t.user->expected;
    return made;
}

json_value schema_set::of_plain(const schema::type& t) {
    if (t.what == kind::optional) return of_plain(*t.element);
    if (t.what == kind::secret) return unshown(of_plain(*t.element), *t.element);
    json_value made = t.what == kind::represented ? of_plain(*t.element) : of(t);
    if (t.what == kind::represented && !t.expected.empty()) made["description"] = t.expected;
    if (t.what == kind::text && !made.find("/pattern") && !made.find("/enum") && !made.find("/format"))
        made["pattern"] = "^[^\\u0000]*$";  // percent-encoded values must not contain NUL
    if (t.what == kind::list) made["items"] = of_plain(*t.element);
    return made;
}

json_value schema_set::of_field(const schema::field& f, bool required, const void* made, bool plain) {
    json_value out = plain ? of_plain(*f.of) : of(*f.of);
    if (!f.description.empty()) out["description"] = f.description;
    if (required || schema::is_secret(*f.of) || (f.of->what == kind::optional && !f.of->optional->get(made)))
        return out;
    json_value value = printed(*f.of, made);
    if (!value.is_null()) out["default"] = std::move(value);
    return out;
}

json_value schema_set::of_form(const schema::type& t) {
    json_value made = typed("object");
    made["properties"] = json_value::object();
    json_value needed;
    each_flat_field(t, [&](const schema::field& f, bool required, const void* value) {
        made["properties"][f.name] = of_field(f, required, value, true);
        if (required) needed.push_back(f.name);
    });
    if (needed.size() != 0) made["required"] = std::move(needed);
    return made;
}

json_value schema_set::object(const schema::type& t, std::string_view tag) {
    json_value made = typed("object");
    if (!t.description.empty()) made["description"] = t.description;
    json_value properties = json_value::object(), needed;
    if (!tag.empty()) {
        properties["type"]["const"] = tag;
        needed.push_back("type");
    }
    each_field(t, [&](const schema::field& f, bool required, const void* value) {
        properties[f.name] = of_field(f, required, value, false);
        if (required) needed.push_back(f.name);
    });
    made["properties"] = std::move(properties);
    if (needed.size() != 0) made["required"] = std::move(needed);
    if (!t.object->ignores_unknown) made["additionalProperties"] = false;
    return made;
}

json_value schema_set::variant(const schema::type& t) {
    json_value made;
    json_value mapping;
    for (unsigned i = 0; i < t.variant->count; ++i) {
        const schema::alternative& one = t.variant->alternatives[i];
        json_value to = reference(*one.of, one.tag);
        mapping[one.tag] = *to.find("/$ref");
        made["oneOf"].push_back(std::move(to));
    }
    made["discriminator"]["propertyName"] = "type";
    made["discriminator"]["mapping"] = std::move(mapping);
    return made;
}

json_value schema_set::reference(const schema::type& t, std::string_view tag) {
    const auto refer = [](const std::string& name) {
        json_value made;
        made["$ref"] = "#/components/schemas/" + name;
        return made;
    };
    for (const component& one : components_)
        if (one.of == &t && one.tag == tag) return refer(one.name);
    // Registered before its schema is created, since the type may contain itself.
    const std::size_t at = components_.size();
    const std::string name = free_name(t.name.empty() ? "object" : t.name);
    components_.push_back({&t, tag, name, {}});
    json_value schema = t.what == kind::enumeration ? enumeration(t) : object(t, tag);
    components_[at].schema = std::move(schema);
    return refer(name);
}

std::string schema_set::free_name(std::string_view wanted) const {
    const auto taken = [&](const std::string& name) {
        for (const component& one : components_)
            if (one.name == name) return true;
        return false;
    };
    std::string name(wanted);
    for (unsigned number = 2; taken(name); ++number) name = std::string(wanted) + '_' + std::to_string(number);
    return name;
}

void schema_set::add(std::string_view name, json_value schema) {
    components_.push_back({nullptr, {}, free_name(name), std::move(schema)});
}

json_value schema_set::components() && {
    json_value made = json_value::object();
    for (component& one : components_) made[one.name] = std::move(one.schema);
    return made;
}

}  // namespace apus::openapi
