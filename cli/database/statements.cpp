// SPDX-License-Identifier: Apache-2.0
#include "cli/database/statements.hpp"

#include <algorithm>
#include <array>

#include <apus/json.hpp>

#include "base/ascii.hpp"
#include "cli/errors/failure.hpp"
#include "cli/text/lists.hpp"
#include "cli/text/nearest.hpp"

namespace apus::cli::database {

namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

std::string lower(std::string_view text) {
    std::string made(text);
    for (char& c : made) c = base::lowered(c);
    return made;
}

// Returns the family of a PostgreSQL type. Types with the same conversions (src/postgres/decode.cpp, encode.cpp) are
// one family. Empty: not checked.
std::string family_of_postgres(std::string_view type) {
    if (type.ends_with("[]")) {
        const std::string item = family_of_postgres(type.substr(0, type.size() - 2));
        return item.empty() ? "" : "list of " + item;
    }
    if (type.ends_with(')')) return "composite";
    if (is_one_of(type, {"smallint", "integer", "bigint", "oid"})) return "integer";
    if (is_one_of(type, {"real", "double precision"})) return "number";
    if (is_one_of(type, {"json", "jsonb"})) return "json";
    if (is_one_of(type, {"text", "character varying", "character", "name", "xml"})) return "text";
    if (type == "bytea") return "bytes";
    if (type.starts_with("timestamp")) return "time";
    if (is_one_of(type, {"date", "interval", "time without time zone", "time with time zone"})) return "date";
    if (is_one_of(type, {"boolean", "numeric", "uuid"})) return std::string(type);
    return "";
}

// Returns the family of a declared type by SQLite's rules of affinity (sqlite.org/datatype3.html, 3.1). Empty for other
// affinities, whose columns hold any value.
std::string family_of_sqlite(std::string_view declared) {
    const std::string type = lower(declared);
    if (type.contains("int")) return "integer";
    if (type.contains("char") || type.contains("clob") || type.contains("text")) return "text";
    if (type.contains("real") || type.contains("floa") || type.contains("doub")) return "number";
    return "";
}

bool column_fits(std::string_view column, std::string_view field) {
    constexpr std::string_view list = "list of ";
    if (column.empty()) return true;
    if (field == "boolean") return is_one_of(column, {"boolean", "integer"});
    if (field == "integer") return is_one_of(column, {"integer", "numeric"});
    if (field == "number") return is_one_of(column, {"number", "integer"});
    if (field == "text") return is_one_of(column, {"text", "json", "date", "numeric", "uuid"});
    if (field == "enumeration") return column == "text";
    if (field == "time") return is_one_of(column, {"time", "date", "text"});
    if (field == "bytes") return is_one_of(column, {"bytes", "json", "text"}) || column == "list of integer";
    if (field.starts_with(list) && column.starts_with(list))
        return column_fits(column.substr(list.size()), field.substr(list.size()));
    return is_one_of(column, {"json", "text"});  // JSON, also of lists
}

// Returns true if a program may pass a value of this type. A value without a binary format is sent as text, which the
// server parses as a constant of the parameter's type.
bool parameter_fits(std::string_view parameter, std::string_view value) {
    constexpr std::string_view list = "list of ";
    if (parameter.empty() || value == "NULL") return true;
    if (value == "boolean") return is_one_of(parameter, {"boolean", "integer", "numeric", "text", "json"});
    if (value == "integer") return is_one_of(parameter, {"integer", "number", "numeric", "text", "json"});
    if (value == "number") return is_one_of(parameter, {"number", "numeric", "text", "json"});
    if (is_one_of(value, {"text", "enumeration"}))
        return is_one_of(parameter, {"text", "json", "date", "time", "numeric", "uuid"});
    if (value == "time") return is_one_of(parameter, {"time", "date", "text"});
    if (value == "bytes") return parameter == "bytes";
    if (value.starts_with(list) && parameter.starts_with(list))
        return parameter_fits(parameter.substr(list.size()), value.substr(list.size()));
    return parameter == "json" || (parameter == "text" && value.ends_with("json"));
}

struct attribute {
    std::string name, type;
};

// Reads the attributes of a composite type: `place (street text, "No" integer)`.
std::vector<attribute> attributes_of(std::string_view type) {
    std::vector<attribute> made;
    const auto begin = type.find(" (");
    if (begin == type.npos) return made;
    std::string_view rest = type.substr(begin + 2, type.rfind(')') - begin - 2);
    while (!rest.empty()) {
        std::size_t end = 0;
        for (bool quoted = false; end < rest.size() && (quoted || rest[end] != ','); ++end)
            quoted = quoted != (rest[end] == '"');
        std::string_view one = rest.substr(0, end);
        rest.remove_prefix(std::min(rest.size(), end + 2));
        const auto space = one.starts_with('"') ? one.find("\" ") + 1 : one.find(' ');
        std::string name(one.substr(0, space));
        if (name.starts_with('"')) name = name.substr(1, name.size() - 2);
        made.push_back({std::move(name), std::string(one.substr(std::min(one.size(), space + 1)))});
    }
    return made;
}

// Compares a struct with a composite type, whose fields are found by their positions. Returns the difference, or an
// empty text. A struct in a struct is not compared.
std::string composite_mismatch(std::string_view type, const program_value& is) {
    const auto attributes = attributes_of(type);
    const auto fields = is.fields.value_or(std::vector<program_field>());
    std::string expected, found;
    for (const auto& each : attributes) expected.append(expected.empty() ? "" : ", ").append(each.name);
    for (const auto& each : fields) found.append(found.empty() ? "" : ", ").append(each.name);
    if (expected != found) return "has the fields " + expected + ", the struct has " + found;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        const std::string family = family_of_postgres(attributes[i].type);
        if (family != "composite" && !column_fits(family, fields[i].type))
            return "has `" + attributes[i].name + "` of type " + attributes[i].type + ", the struct has " +
                   fields[i].type;
    }
    return {};
}

// Returns true if the type is a composite type and the value is a struct, or if both are lists of these.
bool is_composite(std::string_view family, std::string_view value) {
    return (family == "composite" && value == "json") || (family == "list of composite" && value == "list of json");
}

std::string name_of(const program_statement& of, const program_value& field) {
    return field.name.empty() ? "the value" : "field `" + of.row + "." + field.name + "`";
}

using family = std::string (*)(std::string_view type);

void compare_column(const program_statement& of, const program_value& field, const sql::described_column& column,
                    family family_of, std::vector<std::string>& found) {
    const std::string is = family_of(column.type);
    if (is_composite(is, field.type)) {
        if (const std::string why = composite_mismatch(column.type, field); !why.empty())
            found.push_back("column `" + column.name + "` " + why);
    } else if (!column_fits(is, field.type))
        found.push_back("column `" + column.name + "` has type " + column.type + ", " + name_of(of, field) + " takes " +
                        field.type);
    if (column.nullable == true && !field.optional)
        found.push_back("column `" + column.name + "` may be NULL, " + name_of(of, field) + " is not optional");
}

void compare_row(const program_statement& of, const std::vector<sql::described_column>& columns, family family_of,
                 std::vector<std::string>& found) {
    const bool is_single = of.row.empty();
    if (columns.empty()) return found.push_back("the statement returns no rows, but the program reads rows");
    if (is_single && columns.size() != 1)
        return found.push_back(std::to_string(columns.size()) + " columns, but the program reads a single value");
    if (is_single) return compare_column(of, of.fields.front(), columns.front(), family_of, found);
    std::vector<std::string_view> names;
    names.reserve(columns.size());
    for (const auto& each : columns) names.push_back(each.name);
    for (const program_value& field : of.fields) {
        const auto at = std::ranges::find(columns, field.name, &sql::described_column::name);
        if (at != columns.end()) {
            compare_column(of, field, *at, family_of, found);
            continue;
        }
        const std::string meant = text::did_you_mean(field.name, names);
        found.push_back("no column for " + name_of(of, field) + (meant.empty() ? "" : ": " + meant));
    }
}

void compare_parameters(const program_statement& of, const std::vector<std::string>& types,
                        std::vector<std::string>& found) {
    if (types.size() != of.parameters.size())
        return found.push_back("the statement has " + text::counted(types.size(), "parameter") +
                               ", the program passes " + std::to_string(of.parameters.size()));
    for (std::size_t i = 0; i < types.size(); ++i) {
        const program_value& value = of.parameters[i];
        const std::string is = family_of_postgres(types[i]);
        if (is_composite(is, value.type)) {
            if (const std::string why = composite_mismatch(types[i], value); !why.empty())
                found.push_back("parameter $" + std::to_string(i + 1) + " " + why);
            continue;
        }
        if (parameter_fits(is, value.type)) continue;
        found.push_back("parameter $" + std::to_string(i + 1) + " has type " + types[i] + ", the program passes " +
                        value.type + (value.name.empty() ? "" : " (field `" + value.name + "`)"));
    }
}

}  // namespace

program_statements read_statements(std::string_view json) {
    auto made = from_json<program_statements>(json);
    const auto is_complete = [](const program_statement& each) {
        return !each.reads || !each.row.empty() || each.fields.size() == 1;
    };
    if (!made || !std::ranges::all_of(made->statements, is_complete))
        throw errors::failure("E0907", "the program did not list its SQL statements",
                              "`main` must pass the command line to `apus::serve`, and must not write to standard "
                              "output before that");
    return *std::move(made);
}

std::string sql_of(const program_statement& of) { return of.table ? "select * from \"" + of.text + "\"" : of.text; }

std::vector<std::string> mismatches(const program_statement& of, const sql::described_statement& is,
                                    std::string_view engine) {
    std::vector<std::string> found;
    if (!of.table) compare_parameters(of, is.parameters, found);
    if (of.reads) compare_row(of, is.columns, engine == "sqlite" ? family_of_sqlite : family_of_postgres, found);
    return found;
}

}  // namespace apus::cli::database
