// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <apus/sql/inspection.hpp>

namespace apus::cli::database {

/// A parameter of a statement, or a field of its rows.
struct program_value {
    std::string name;  ///< Of the field; empty for single values.
    std::string type;  ///< boolean, integer, number, text, time, enumeration, bytes, json, NULL, or "list of" one.
    bool optional = false;
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

/// The list of a program.
struct program_statements {
    bool databases = false;  ///< Whether the program uses databases.
    std::vector<program_statement> statements;
};

/// Reads the output of a program. Throws E0907 if it is not such a list.
program_statements read_statements(std::string_view json);

/// Returns the statement to prepare; for a table, one that returns all of its columns.
std::string sql_of(const program_statement&);

/// Returns the contradictions between a statement's use in the program and its description.
/// The description is by the engine "sqlite" or "postgres".
std::vector<std::string> mismatches(const program_statement&, const sql::described_statement&, std::string_view engine);

}  // namespace apus::cli::database
