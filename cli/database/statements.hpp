// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <apus/sql/inspection.hpp>

namespace apus::cli::database {

/// A field of a struct in a parameter or row.
struct program_field {
    std::string name;
    std::string type;
    bool optional = false;
};

/// A parameter of a statement, or a field of its rows.
struct program_value {
    std::string name;  ///< Name of the field; empty for single values.
    std::string type;  ///< boolean, integer, number, text, time, enumeration, bytes, json, NULL or "list of TYPE".
    bool optional = false;
    std::optional<std::vector<program_field>> fields{};  ///< Of a struct, or of the structs of a list.
};

/// A statement, or the name of a table, as the program lists it (src/sql/statement_list.hpp).
struct program_statement {
    std::string file;
    std::int64_t line;
    bool table = false;
    std::string text;
    std::vector<program_value> parameters;
    bool reads = false;  ///< Whether the program reads rows.
    std::string row;     ///< Name of the rows' struct; empty: single values.
    std::vector<program_value> fields;
};

/// The SQL statements of a program, as it lists them.
struct program_statements {
    bool databases = false;  ///< Whether the program uses databases.
    std::vector<program_statement> statements;
};

/// Parses the output of a program. Throws E0907 if the output is not a list of statements.
program_statements read_statements(std::string_view json);

/// Returns the statement to prepare. For a table, this is a `select *`.
std::string sql_of(const program_statement&);

/// Returns the mismatches between the use of a statement in the program and its description.
/// `engine` is the engine that described the statement: "sqlite" or "postgres".
std::vector<std::string> mismatches(const program_statement&, const sql::described_statement&, std::string_view engine);

}  // namespace apus::cli::database
