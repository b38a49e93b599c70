// SPDX-License-Identifier: Apache-2.0
#include "sql/statement_list.hpp"

#include "base/json_string.hpp"
#include "sql/condition.hpp"
#include "sql/parameters.hpp"

#include <apus/detail/sql_statement.hpp>

#include <cstring>
#include <vector>

#include <elf.h>
#include <link.h>

namespace apus::sql {
namespace {

using detail::statement_record;
using schema::kind;

// The marks in reverse order, so that this object is not mistaken for a record.
struct wanted_marks {
    volatile std::uint64_t second = statement_record::second_mark, first = statement_record::first_mark;
};

// Reads each word of a segment, including the padding between variables, for which AddressSanitizer reports errors.
[[gnu::no_sanitize_address]] void find_in(std::uintptr_t begin, std::uintptr_t end, const wanted_marks& marks,
                                          std::vector<const statement_record*>& found) {
    const std::uint64_t first = marks.first, second = marks.second;
    constexpr std::uintptr_t word = sizeof(std::uint64_t);
    for (std::uintptr_t at = (begin + word - 1) / word * word; at + sizeof(statement_record) <= end; at += word) {
        const auto* words = reinterpret_cast<const volatile std::uint64_t*>(at);
        if (words[0] != first || words[1] != second) continue;
        found.push_back(reinterpret_cast<const statement_record*>(at));
    }
}

std::vector<const statement_record*> find_records() {
    std::vector<const statement_record*> found;
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* to) {
            const wanted_marks marks;
            for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
                const auto& segment = object->dlpi_phdr[i];
                if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_R)) continue;
                const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
                find_in(begin, begin + segment.p_filesz, marks,
                        *static_cast<std::vector<const statement_record*>*>(to));
            }
            return 0;
        },
        &found);
    return found;
}

// Returns the name of a type for `apus db check`. Must agree with `parameters::convert` and `store_value`.
std::string name_of(const schema::type& t) {
    switch (t.what) {
        case kind::boolean: return "boolean";
        case kind::integer:
        case kind::natural: return "integer";
        case kind::number: return "number";
        case kind::text:
        case kind::view: return "text";
        case kind::time: return "time";
        case kind::enumeration: return "enumeration";
        case kind::optional:
        case kind::secret:
        case kind::represented: return name_of(*t.element);
        case kind::list:
            if (is_bytes(t)) return "bytes";
            return is_plain(*t.element) || is_list_of_structs(t) ? "list of " + name_of(*t.element) : "json";
        default: return "json";
    }
}

bool may_be_empty(const schema::type& t) {
    if (t.what == kind::secret || t.what == kind::represented) return may_be_empty(*t.element);
    return t.what == kind::optional;
}

// Appends the members of a value, without the closing brace.
void begin_value(std::string& to, std::string_view name, const schema::type* t) {
    to += "{\"name\":";
    base::append_json_string(to, name);
    to.append(",\"type\":\"").append(t ? name_of(*t) : "NULL").append("\",\"optional\":");
    to.append(!t || may_be_empty(*t) ? "true" : "false");
}

// Returns the struct that a value, or each item of a list, is; otherwise null.
const schema::type* struct_of(const schema::type& t) noexcept {
    if (t.what == kind::object) return &t;
    if (t.what == kind::optional || is_list_of_structs(t)) return struct_of(*t.element);
    return nullptr;
}

// The fields of a struct are compared with those of a composite type.
void add_value(std::string& to, std::string_view name, const schema::type* t) {
    begin_value(to, name, t);
    if (const schema::type* const of = t ? struct_of(*t) : nullptr) {
        to += ",\"fields\":[";
        for (unsigned i = 0; i < of->field_count; ++i) {
            if (i) to += ',';
            begin_value(to, of->fields[i].name, of->fields[i].of);
            to += '}';
        }
        to += ']';
    }
    to += '}';
}

void add_fields(std::string& to, const schema::type& t) {
    if (t.what != kind::object) return add_value(to, "", &t);
    for (unsigned i = 0; i < t.field_count; ++i) {
        if (i) to += ',';
        add_value(to, t.fields[i].name, t.fields[i].of);
    }
}

void add_record(std::string& to, const statement_record& record) {
    const detail::statement_types& types = *record.types;
    to += "{\"file\":";
    base::append_json_string(to, record.file);
    to.append(",\"line\":").append(std::to_string(record.line));
    to.append(record.is_table ? ",\"table\":true" : ",\"table\":false").append(",\"text\":");
    base::append_json_string(to, record.view());
    to += ",\"parameters\":[";
    bool first = true;
    for (unsigned i = 0; i < types.argument_count; ++i) {
        const schema::type* const t = types.arguments[i];
        if (t && t->what == kind::object && t->field_count == 0) continue;
        if (!std::exchange(first, false)) to += ',';
        if (t) add_fields(to, *t);
        else add_value(to, "", nullptr);
    }
    const bool is_object = types.row && types.row->what == kind::object;
    to.append("],\"reads\":").append(types.row ? "true" : "false").append(",\"row\":");
    base::append_json_string(to, is_object ? types.row->name : std::string_view());
    to += ",\"fields\":[";
    if (types.row) add_fields(to, *types.row);
    to += "]}";
}

thread_local std::string* table_list = nullptr;  // null unless this thread is making a list

void add_column(std::string& columns, std::string& fields, std::string_view name, const char* type, bool optional) {
    if (name.empty()) return;
    columns.append(", ").append(detail::quoted_name(name));
    fields.append(fields.empty() ? "{\"name\":" : ",{\"name\":");
    base::append_json_string(fields, name);
    fields.append(",\"type\":\"").append(type).append(optional ? "\",\"optional\":true}" : "\",\"optional\":false}");
}

// Returns the tables that `make_app` constructs. Returns an empty list if `make_app` throws, for example because a
// database is missing.
std::string list_tables(void (*make_app)(const void*), const void* of) {
    std::string made;
    if (!make_app) return made;
    table_list = &made;
    try {
        make_app(of);
    } catch (const std::exception&) {
        made.clear();
    }
    table_list = nullptr;
    return made;
}

}  // namespace

void list_table(const listed_table& t) {
    if (!table_list) return;
    std::string columns = detail::quoted_name(t.key), fields;
    add_column(columns, fields, t.version, "integer", false);
    for (const std::string_view each : {t.deleted, t.created, t.updated})
        add_column(columns, fields, each, "time", true);
    if (fields.empty() && t.key == "id") return;
    std::string& to = *table_list;
    to += ",\n{\"file\":";
    base::append_json_string(to, t.file);
    to.append(",\"line\":").append(std::to_string(t.line)).append(",\"table\":false,\"text\":");
    base::append_json_string(to, "select " + columns + " from " + detail::quoted_name(t.name));
    to.append(",\"parameters\":[],\"reads\":").append(fields.empty() ? "false" : "true").append(",\"row\":");
    base::append_json_string(to, fields.empty() ? "" : "table_options");
    to.append(",\"fields\":[").append(fields).append("]}");
}

std::string list_statements(void (*make_app)(const void*), const void* of) {
    std::string made = "{\"databases\":true,\"statements\":[";
    bool first = true;
    for (const statement_record* each : find_records()) {
        made += std::exchange(first, false) ? "\n" : ",\n";
        add_record(made, *each);
    }
    const std::string tables = list_tables(make_app, of);
    made.append(tables, first && !tables.empty() ? 1 : 0);  // without the first comma
    return made += "\n]}\n";
}

}  // namespace apus::sql
