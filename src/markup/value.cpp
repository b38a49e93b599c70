// SPDX-License-Identifier: Apache-2.0
#include "markup/value.hpp"

#include "markup/escape.hpp"
#include "schema/date_time.hpp"
#include "schema/expectation.hpp"
#include "schema/represented.hpp"

#include <apus/safe_html.hpp>

#include <charconv>
#include <cmath>
#include <cstring>

namespace apus::markup {
namespace {

using schema::kind;
using schema::type;

constexpr unsigned deepest_value = 32;

template <class Number>
Number load(const void* from) {
    Number value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

std::int64_t load_integer(const type& t, const void* from) {
    switch (t.width) {
        case 1: return load<std::int8_t>(from);
        case 2: return load<std::int16_t>(from);
        case 4: return load<std::int32_t>(from);
        default: return load<std::int64_t>(from);
    }
}

std::uint64_t load_natural(const type& t, const void* from) {
    switch (t.width) {
        case 1: return load<std::uint8_t>(from);
        case 2: return load<std::uint16_t>(from);
        case 4: return load<std::uint32_t>(from);
        default: return load<std::uint64_t>(from);
    }
}

double load_number(const type& t, const void* from) {
    return t.width == 4 ? static_cast<double>(load<float>(from)) : load<double>(from);
}

template <class Number>
void write_digits(std::string& out, escape how, Number value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    // A space separates the number from a preceding "-", which would form "--", and from a preceding word.
    if (how == escape::script_value) out += ' ';
    append_escaped(out, how == escape::script_value ? escape::text : how, {digits, end});
}

void write_number(std::string& out, escape how, const type& t, const void* from) {
    const double value = load_number(t, from);
    if (how == escape::script_value && !std::isfinite(value)) out += " null";
    else if (t.width == 4) write_digits(out, how, load<float>(from));
    else write_digits(out, how, value);
}

void write_enumerator(std::string& out, escape how, const type& t, const void* from) {
    if (const schema::enumerator* named = schema::enumerator_at(t, from)) return append_escaped(out, how, named->name);
    write_digits(out, how, load_integer(t, from));
}

void write_at(std::string& out, escape how, const type& t, const void* from, unsigned depth);

void write_list(std::string& out, const type& t, const void* from, unsigned depth) {
    const auto* element = static_cast<const char*>(t.list->data(from));
    const std::size_t size = t.list->size(from);
    out += '[';
    for (std::size_t i = 0; i < size; ++i) {
        if (i) out += ',';
        write_at(out, escape::script_value, *t.element, element + i * t.list->stride, depth + 1);
    }
    out += ']';
}

void write_member(std::string& out, std::string_view name, const type& t, const void* from, unsigned depth) {
    if (out.back() != '{') out += ',';
    append_escaped(out, escape::script_value, name);
    out += ':';
    write_at(out, escape::script_value, t, from, depth + 1);
}

void write_map(std::string& out, const type& t, const void* from, unsigned depth) {
    struct place {
        std::string& out;
        const type& element;
        unsigned depth;
    } here{out, *t.element, depth};
    out += '{';
    t.map->each(from, &here, [](void* context, std::string_view key, const void* value) {
        const auto& to = *static_cast<place*>(context);
        write_member(to.out, key, to.element, value, to.depth);
    });
    out += '}';
}

void write_object(std::string& out, const type& t, const void* from, unsigned depth) {
    out += '{';
    for (unsigned i = 0; i < t.field_count; ++i)
        write_member(out, t.fields[i].name, *t.fields[i].of, static_cast<const char*>(from) + t.fields[i].offset,
                     depth);
    out += '}';
}

void write_represented(std::string& out, escape how, const type& t, const void* from, unsigned depth) {
    schema::use_representation(t, from, [&](const void* as) { write_at(out, how, *t.element, as, depth + 1); });
}

void write_at(std::string& out, escape how, const type& t, const void* from, unsigned depth) {
    if (depth > deepest_value) return void(out += "null");
    switch (t.what) {
        case kind::boolean:
            if (how == escape::script_value) out += load<bool>(from) ? " true" : " false";
            else out += load<bool>(from) ? "true" : "false";
            return;
        case kind::integer: return write_digits(out, how, load_integer(t, from));
        case kind::natural: return write_digits(out, how, load_natural(t, from));
        case kind::number: return write_number(out, how, t, from);
        case kind::text: return append_escaped(out, how, *static_cast<const std::string*>(from));
        case kind::view: return append_escaped(out, how, *static_cast<const std::string_view*>(from));
        case kind::enumeration: return write_enumerator(out, how, t, from);
        case kind::time: {
            char text[schema::longest_time];
            return append_escaped(out, how, {text, schema::write_time(text, *t.time, from)});
        }
        case kind::optional:
            if (const void* held = t.optional->get(from)) return write_at(out, how, *t.element, held, depth);
            if (how == escape::script_value) out += " null";
            return;
        case kind::list: return write_list(out, t, from, depth);
        case kind::map: return write_map(out, t, from, depth);
        case kind::object:
            if (!is_safe_html(t)) return write_object(out, t, from, depth);
            if (const std::string_view html = static_cast<const safe_html*>(from)->bytes(); how == escape::text)
                out += html;
            else append_escaped(out, how, html);
            return;
        case kind::represented: return write_represented(out, how, t, from, depth);
        case kind::secret:  // can_write returns false; but it may be a field of an object in a script
            if (how == escape::script_value) out += " null";
            return;
        case kind::variant:
        case kind::value:
        case kind::file: return;  // can_write returns false
    }
}

bool can_write_in_script(const type& t, unsigned depth) {
    if (t.what == kind::variant || t.what == kind::value || t.what == kind::file || is_safe_html(t)) return false;
    if (depth == 6) return true;  // ends the recursion for recursive types
    if (t.element && !can_write_in_script(*t.element, depth + 1)) return false;
    for (unsigned i = 0; i < t.field_count; ++i)
        if (!can_write_in_script(*t.fields[i].of, depth + 1)) return false;
    return true;
}

}  // namespace

const char* name_of_kind(const type& t) noexcept {
    switch (t.what) {
        case kind::boolean: return "a bool";
        case kind::integer:
        case kind::natural:
        case kind::number: return "a number";
        case kind::text:
        case kind::view: return "a text";
        case kind::time: return "a point in time";
        case kind::enumeration: return "an enumerator";
        case kind::list: return "a list";
        case kind::map: return "a map";
        case kind::optional: return "an optional";
        case kind::variant: return "a variant";
        case kind::object: return is_safe_html(t) ? "safe_html" : "an object";
        case kind::value: return "a json_value";
        case kind::file: return "a file";
        case kind::represented: return "a value of a type with a representation";
        case kind::secret: return "a secret";
    }
    return "";
}

bool is_safe_html(const type& t) noexcept { return &t == &detail::schema_table<safe_html>; }

bool can_write(const type& t, escape how) noexcept {
    if (how == escape::script_value) return can_write_in_script(t, 0);
    switch (t.what) {
        case kind::optional:
        case kind::represented: return can_write(*t.element, how);
        case kind::secret:
        case kind::list:
        case kind::map:
        case kind::object:
        case kind::variant:
        case kind::value:
        case kind::file: return false;
        default: return true;
    }
}

void write(std::string& out, escape how, const type& t, const void* value) { write_at(out, how, t, value, 0); }

bool can_be_tested(const type& t) noexcept {
    return (t.what != kind::object || is_safe_html(t)) && t.what != kind::variant && t.what != kind::value &&
           t.what != kind::file && t.what != kind::represented && t.what != kind::secret;
}

bool is_there(const type& t, const void* value) noexcept {
    switch (t.what) {
        case kind::boolean: return load<bool>(value);
        case kind::integer: return load_integer(t, value) != 0;
        case kind::natural: return load_natural(t, value) != 0;
        case kind::number: return load_number(t, value) != 0;
        case kind::text: return !static_cast<const std::string*>(value)->empty();
        case kind::view: return !static_cast<const std::string_view*>(value)->empty();
        case kind::list: return t.list->size(value) != 0;
        case kind::map: return t.map->size(value) != 0;
        case kind::optional: return t.optional->get(value) != nullptr;
        case kind::object: return !is_safe_html(t) || !static_cast<const safe_html*>(value)->bytes().empty();
        default: return true;
    }
}

}  // namespace apus::markup
