// SPDX-License-Identifier: Apache-2.0
#include "sql/parameters.hpp"

#include "base/utf8.hpp"
#include "schema/expectation.hpp"
#include "schema/represented.hpp"

#include <apus/detail/json_text.hpp>

#include <cmath>
#include <cstring>
#include <utility>

namespace apus::sql {
namespace {

using schema::kind;

template <class T>
T load(const void* at) noexcept {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

std::int64_t load_integer(const schema::type& t, const void* at) noexcept {
    switch (t.width) {
        case 1: return load<std::int8_t>(at);
        case 2: return load<std::int16_t>(at);
        case 4: return load<std::int32_t>(at);
        default: return load<std::int64_t>(at);
    }
}

std::uint64_t load_natural(const schema::type& t, const void* at) noexcept {
    switch (t.width) {
        case 1: return load<std::uint8_t>(at);
        case 2: return load<std::uint16_t>(at);
        case 4: return load<std::uint32_t>(at);
        default: return load<std::uint64_t>(at);
    }
}

value natural_value(std::uint64_t n) noexcept {
    const bool large = n > static_cast<std::uint64_t>(INT64_MAX);
    return {.kind = large ? value_kind::natural : value_kind::integer, .integer = static_cast<std::int64_t>(n)};
}

// The earliest time that PostgreSQL can store, in microseconds: 4713 BC. The latest time exceeds INT64_MAX.
constexpr std::int64_t first_time = -210'866'803'200'000'000;

constexpr unsigned deepest_text = 512;  // deeper values cannot be printed as JSON

// Returns the size of the texts in a value, without reading them. JSON is not smaller, except for maps and variants.
std::size_t size_of_texts(const schema::type& t, const void* at, unsigned depth = 0) {
    if (depth > deepest_text) return 0;
    switch (t.what) {
        case kind::text: return static_cast<const std::string*>(at)->size();
        case kind::view: return static_cast<const std::string_view*>(at)->size();
        case kind::secret: return size_of_texts(*t.element, at, depth + 1);
        case kind::optional: {
            const void* held = t.optional->get(at);
            return held ? size_of_texts(*t.element, held, depth + 1) : 0;
        }
        case kind::object: {
            std::size_t sum = 0;
            for (const auto& field : std::span(t.fields, t.field_count))
                sum += size_of_texts(*field.of, static_cast<const char*>(at) + field.offset, depth + 1);
            return sum;
        }
        case kind::list: {
            const auto* item = static_cast<const char*>(t.list->data(at));
            std::size_t sum = 0;
            for (std::size_t left = t.list->size(at); left != 0; --left, item += t.list->stride)
                sum += size_of_texts(*t.element, item, depth + 1);
            return sum;
        }
        default: return 0;
    }
}

// Converts a time to microseconds since 1970. Rounds down, also before 1970.
result<value> time_value(const schema::type& t, const void* at) {
    __extension__ using wide = __int128;
    const wide scaled = wide(t.time->count(at)) * t.time->numerator * 1'000'000;
    wide count = scaled / t.time->denominator;
    if (count * t.time->denominator > scaled) --count;
    if (count < first_time || count > INT64_MAX)
        return fail(500, "a time in a parameter of a statement is out of the range of databases");
    return value{.kind = value_kind::time, .integer = static_cast<std::int64_t>(count)};
}

}  // namespace

bool is_bytes(const schema::type& t) noexcept { return t.element->what == kind::natural && t.element->width == 1; }

bool is_plain(const schema::type& t) noexcept {
    switch (t.what) {
        case kind::list:
        case kind::map:
        case kind::variant:
        case kind::object:
        case kind::value:
        case kind::file: return false;
        case kind::optional:
        case kind::secret:
        case kind::represented: return is_plain(*t.element);
        default: return true;
    }
}

bool is_list_of_structs(const schema::type& t) noexcept {
    if (t.what != kind::list) return false;
    const schema::type& item = t.element->what == kind::optional ? *t.element->element : *t.element;
    return item.what == kind::object;
}

result<void> parameters::add(const schema::type& t, const void* at) {
    if (t.what != kind::object) return add_one(t, at);
    for (unsigned i = 0; i < t.field_count; ++i)
        if (auto added = add_one(*t.fields[i].of, static_cast<const char*>(at) + t.fields[i].offset); !added)
            return added;
    return {};
}

result<void> parameters::add_one(const schema::type& t, const void* at) {
    auto made = convert(t, at);
    if (!made) return std::unexpected(std::move(made.error()));
    values_.push_back(*made);
    return {};
}

void parameters::add_null() { values_.push_back({}); }

void parameters::add_copy(const value& v, bool secret) {
    has_secret_ = has_secret_ || secret;
    values_.push_back(v);
    values_.back().shape = composite_shape::none;
    if (v.text.data()) values_.back().text = texts_.emplace_back(v.text);
}

result<value> parameters::convert(const schema::type& t, const void* at) {
    switch (t.what) {
        case kind::boolean: return value{.kind = value_kind::boolean, .integer = load<bool>(at)};
        case kind::integer: return value::of(load_integer(t, at));
        case kind::natural: return natural_value(load_natural(t, at));
        case kind::number: {
            const double number = t.width == sizeof(float) ? double(load<float>(at)) : load<double>(at);
            if (std::isnan(number)) return fail(500, "a parameter of a statement is NaN");
            return value{.kind = value_kind::number, .number = number};
        }
        case kind::text: return keep_text(*static_cast<const std::string*>(at));
        case kind::view: return keep_text(*static_cast<const std::string_view*>(at));
        case kind::time: return time_value(t, at);
        case kind::enumeration: {
            const schema::enumerator* found = schema::enumerator_at(t, at);
            if (!found) return fail(500, "a parameter of a statement is an enumeration value without a name");
            return value::of_text(found->name);
        }
        case kind::optional: {
            const void* held = t.optional->get(at);
            return held ? convert(*t.element, held) : value();
        }
        case kind::list: return convert_list(t, at);
        case kind::secret: return has_secret_ = true, convert(*t.element, at);
        case kind::represented: return convert_represented(t, at);
        case kind::object: return convert_composite(t, at);
        default: return convert_json(t, at);
    }
}

// The type of the parameter is unknown here, so the value is both JSON and the fields of a composite type.
result<value> parameters::convert_composite(const schema::type& t, const void* at) {
    auto made = convert_json(t, at);
    if (!made || !composites_) return made;
    auto parts = convert_member(t, at, 0);
    if (parts) {
        parts->text = made->text;
        return parts;
    }
    made->shape = composite_shape::refused;
    if (!refused_field_) refused_field_.emplace(std::move(parts.error()));
    return made;
}

result<value> parameters::convert_member(const schema::type& t, const void* at, unsigned depth) {
    constexpr unsigned deepest = 32;
    if (depth > deepest) return fail(422, "a value is nested too deeply");
    std::vector<value> items;
    if (t.what == kind::optional) {
        const void* held = t.optional->get(at);
        return held ? convert_member(*t.element, held, depth) : value();
    }
    if (t.what == kind::object) {
        items.reserve(t.field_count);
        for (unsigned i = 0; i < t.field_count; ++i) {
            const auto* field = static_cast<const char*>(at) + t.fields[i].offset;
            auto made = convert_member(*t.fields[i].of, field, depth + 1);
            if (!made) return made;
            items.push_back(*made);
        }
        return keep_items(composite_shape::record, std::move(items));
    }
    if (!is_list_of_structs(t)) return convert(t, at);
    const auto* first = static_cast<const char*>(t.list->data(at));
    for (std::size_t i = 0; i < t.list->size(at); ++i) {
        auto made = convert_member(*t.element, first + i * t.list->stride, depth + 1);
        if (!made) return made;
        items.push_back(*made);
    }
    return keep_items(composite_shape::list, std::move(items));
}

result<value> parameters::keep_items(composite_shape shape, std::vector<value> items) {
    const auto& kept = lists_.emplace_back(std::move(items));
    return value{.kind = value_kind::json,
                 .shape = shape,
                 .count = static_cast<std::uint32_t>(kept.size()),
                 .items = kept.data()};
}

result<value> parameters::convert_represented(const schema::type& t, const void* at) {
    result<value> made = value();
    schema::use_representation(t, at, [&](const void* as) { made = convert(*t.element, as); });
    return made;
}

result<value> parameters::convert_list(const schema::type& t, const void* at) {
    const auto* first = static_cast<const char*>(t.list->data(at));
    const std::size_t count = t.list->size(at);
    if (is_bytes(t)) return keep_bytes(value_kind::bytes, {first, count});
    if (is_list_of_structs(t)) return convert_composite(t, at);
    if (!is_plain(*t.element)) return convert_json(t, at);
    if (count > longest_ / sizeof(value)) return fail(413, "a list in a parameter of a statement is too long");
    std::vector<value> items;
    items.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        auto item = convert(*t.element, first + i * t.list->stride);
        if (!item) return item;
        items.push_back(*item);
    }
    const auto& kept = lists_.emplace_back(std::move(items));
    return value{.kind = value_kind::list, .count = static_cast<std::uint32_t>(count), .items = kept.data()};
}

result<value> parameters::convert_json(const schema::type& t, const void* at) {
    if (size_of_texts(t, at) > longest_) return fail(413, "a value is too large for the database");
    std::string text;
    apus::detail::print_json_with_secrets(t, at, text);  // includes secrets, since a column is not a response
    return keep_bytes(value_kind::json, text);
}

result<value> parameters::keep_text(std::string_view text) {
    if (text.size() > longest_) return keep_bytes(value_kind::text, text);  // rejects the text by its size
    if (text.find('\0') != text.npos) return fail(400, "a text contains a NUL character");
    if (!base::is_utf8(text)) return fail(400, "a text is not valid UTF-8");
    return keep_bytes(value_kind::text, text);
}

result<value> parameters::keep_bytes(value_kind kind, std::string_view bytes) {
    if (bytes.size() > longest_) return fail(413, "a value is too large for the database");
    return value{.kind = kind, .integer = 0, .text = texts_.emplace_back(bytes)};
}

}  // namespace apus::sql
