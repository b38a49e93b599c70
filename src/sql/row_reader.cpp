// SPDX-License-Identifier: Apache-2.0
#include "sql/row_reader.hpp"

#include "schema/date_time.hpp"
#include "schema/expectation.hpp"
#include "schema/represented.hpp"
#include "schema/store.hpp"

#include <apus/detail/json_text.hpp>

#include <charconv>
#include <cmath>
#include <limits>

namespace apus::sql {
namespace {

using schema::kind;

bool store_natural(const schema::type& t, void* to, std::uint64_t n) {
    if (n < static_cast<std::uint64_t>(t.least) || n > t.greatest) return false;
    return schema::store_integer(to, t.width, n), true;
}

bool store_whole(const schema::type& t, void* to, const value& v) {
    if (v.kind != value_kind::integer && v.kind != value_kind::natural) return false;
    const bool negative = v.kind == value_kind::integer && v.integer < 0;
    const auto bits = static_cast<std::uint64_t>(v.integer);
    if (t.what == kind::natural) return !negative && store_natural(t, to, bits);
    if (v.kind == value_kind::natural || v.integer < t.least || v.integer > static_cast<std::int64_t>(t.greatest))
        return false;
    return schema::store_integer(to, t.width, bits), true;
}

bool store_number(const schema::type& t, void* to, const value& v) {
    if (v.kind != value_kind::number && v.kind != value_kind::integer) return false;
    const double number = v.kind == value_kind::number ? v.number : static_cast<double>(v.integer);
    if (t.minimum < t.maximum && !(number >= t.minimum && number <= t.maximum)) return false;
    if (t.width == sizeof(double)) return schema::store(to, number), true;
    const bool too_large = std::isfinite(number) && std::abs(number) > std::numeric_limits<float>::max();
    return !too_large && (schema::store(to, static_cast<float>(number)), true);
}

bool store_time(const schema::type& t, void* to, const value& v) {
    if (v.kind == value_kind::text) {
        if (schema::read_time(v.text, *t.time, to)) return true;
        // The format of SQLite's date functions, which is in UTC.
        return v.text.size() <= 40 && schema::read_time(std::string(v.text) + 'Z', *t.time, to);
    }
    if (v.kind != value_kind::time) return false;
    __extension__ using wide = __int128;
    const wide scaled = wide(v.integer) * t.time->denominator;
    const wide period = wide(1'000'000) * t.time->numerator;
    wide count = scaled / period;
    if (count * period > scaled) --count;
    if (count > INT64_MAX || count < INT64_MIN) return false;
    return t.time->set(to, static_cast<std::int64_t>(count)), true;
}

bool store_json(const schema::type& t, void* to, const value& v) {
    error why(500, {});
    return (v.kind == value_kind::json || v.kind == value_kind::text) && apus::detail::parse_json(v.text, t, to, why);
}

bool store_bytes(const schema::type& t, void* to, std::string_view bytes) {
    t.list->clear(to);
    for (const char c : bytes) schema::store(t.list->add(to), c);
    return true;
}

// The fields of a composite value have no names, so their number and order must be those of the struct.
bool store_record(const schema::type& t, void* to, const value& v) {
    if (v.kind != value_kind::record) return store_json(t, to, v);
    if (v.count != t.field_count) return false;
    for (unsigned i = 0; i < t.field_count; ++i)
        if (!store_value(*t.fields[i].of, static_cast<char*>(to) + t.fields[i].offset, v.items[i])) return false;
    return true;
}

bool store_list(const schema::type& t, void* to, const value& v) {
    if (!t.list->add) return store_json(t, to, v);
    if (v.kind == value_kind::bytes && t.element->what == kind::natural && t.element->width == 1)
        return store_bytes(t, to, v.text);
    if (v.kind != value_kind::list) return store_json(t, to, v);
    t.list->clear(to);
    for (std::uint32_t i = 0; i < v.count; ++i)
        if (!store_value(*t.element, t.list->add(to), v.items[i])) return false;
    return true;
}

bool store_enumeration(const schema::type& t, void* to, const value& v) {
    if (v.kind != value_kind::text) return false;
    const schema::enumerator* found = schema::find_enumerator(t, v.text);
    return found && (schema::store_integer(to, t.width, static_cast<std::uint64_t>(found->value)), true);
}

bool store_flag(void* to, const value& v) {
    if ((v.kind != value_kind::integer && v.kind != value_kind::boolean) || (v.integer & ~1LL)) return false;
    return schema::store(to, v.integer == 1), true;
}

bool store_text(const schema::type& t, void* to, const value& v) {
    const bool is_text = v.kind == value_kind::text || v.kind == value_kind::json;
    return is_text && schema::text_fits(t, v.text) && (static_cast<std::string*>(to)->assign(v.text), true);
}

bool store_plain(const schema::type& t, void* to, const value& v) {
    switch (t.what) {
        case kind::boolean: return store_flag(to, v);
        case kind::integer:
        case kind::natural: return store_whole(t, to, v);
        case kind::number: return store_number(t, to, v);
        case kind::text: return store_text(t, to, v);
        case kind::time: return store_time(t, to, v);
        case kind::enumeration: return store_enumeration(t, to, v);
        case kind::list: return store_list(t, to, v);
        case kind::object: return store_record(t, to, v);
        case kind::secret: return store_value(*t.element, to, v);
        case kind::represented:
            return schema::read_representation(t, to, [&](void* as) { return store_value(*t.element, as, v); });
        default: return store_json(t, to, v);
    }
}

// Converts a text that represents an integer to this integer; returns any other text unchanged. PostgreSQL's numeric is
// read as text.
value whole_number(const value& v) noexcept {
    const char *const begin = v.text.data(), *const end = begin + v.text.size();
    std::int64_t number = 0;
    if (const auto read = std::from_chars(begin, end, number); read.ec == std::errc() && read.ptr == end)
        return value::of(number);
    std::uint64_t natural = 0;
    if (const auto read = std::from_chars(begin, end, natural); read.ec == std::errc() && read.ptr == end)
        return {.kind = value_kind::natural, .integer = static_cast<std::int64_t>(natural)};
    return v;
}

bool is_whole(const schema::type& t) noexcept {
    if (t.what == kind::optional) return is_whole(*t.element);
    return t.what == kind::integer || t.what == kind::natural;
}

const char* name_of(value_kind k) noexcept {
    constexpr const char* names[] = {"NULL",  "boolean", "integer", "integer", "number",           "text",
                                     "bytes", "time",    "JSON",    "list",    "a composite value"};
    return names[static_cast<unsigned>(k)];
}

}  // namespace

bool store_value(const schema::type& t, void* to, const value& v) {
    if (t.what == kind::optional) {
        if (v.kind == value_kind::null) return t.optional->reset(to), true;
        return store_value(*t.element, t.optional->emplace(to), v);
    }
    if (v.kind == value_kind::null) return false;
    return store_plain(t, to, v) && (!t.user || t.user->holds(to));
}

error row_reader::mismatch(std::string why) const {
    return error(500, "a query result does not match the type that the program expects")
        .cause(std::move(why).append("; statement: ").append(statement_));
}

result<void> row_reader::find_columns(const schema::type& t) {
    of_ = &t;
    columns_.clear();
    if (t.what != kind::object) {
        if (from_->columns() == 1) return {};
        return std::unexpected(mismatch(std::to_string(from_->columns()) + " columns for a single value"));
    }
    for (unsigned i = 0; i < t.field_count; ++i) {
        unsigned column = 0;
        while (column < from_->columns() && from_->column_name(column) != t.fields[i].name) ++column;
        if (column == from_->columns())
            return std::unexpected(
                mismatch(std::string("no column for field ").append(t.name).append(".").append(t.fields[i].name)));
        columns_.push_back(column);
    }
    return {};
}

result<void> row_reader::read_cell(std::size_t row, unsigned column, std::string_view field, const schema::type& t,
                                   void* to) {
    value v = from_->cell(row, column);
    if (v.kind == value_kind::text && is_whole(t) && from_->column_type(column) == "numeric") v = whole_number(v);
    if (store_value(t, to, v)) return {};
    return std::unexpected(mismatch(std::string("column ")
                                        .append(from_->column_name(column))
                                        .append(" of type ")
                                        .append(from_->column_type(column))
                                        .append(" holds ")
                                        .append(name_of(v.kind))
                                        .append(", field ")
                                        .append(field)
                                        .append(" takes ")
                                        .append(schema::expectation(t))));
}

result<void> row_reader::read(std::size_t row, const schema::type& t, void* to) {
    if (of_ != &t)
        if (auto known = find_columns(t); !known) return known;
    if (t.what != kind::object) return read_cell(row, 0, "(single value)", t, to);
    const auto columns = columns_.all();
    for (unsigned i = 0; i < t.field_count; ++i) {
        const schema::field& f = t.fields[i];
        auto stored = read_cell(row, columns[i], f.name, *f.of, static_cast<char*>(to) + f.offset);
        if (!stored) return stored;
    }
    return {};
}

}  // namespace apus::sql
