// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/sql_call.hpp>
#include <apus/sql/text.hpp>

#include <cstdint>

namespace apus::sql::detail {

/// Types of a statement's arguments and rows.
struct statement_types {
    const schema::type* row;               ///< Null: the program does not read rows.
    const schema::type* const* arguments;  ///< One for each argument. A null element means SQL NULL.
    unsigned argument_count;
};

/// Records a statement or table name, and its position in the source, for `apus db check`.
/// See docs/decisions/0041. The record is a constant temporary. The CMake function `apus_application` compiles with
/// `-fmerge-all-constants`, so that the compiler places the record in the program's data section.
struct statement_record {
    static constexpr std::uint64_t first_mark = 0x9d1f'e6b2'53c8'07a4, second_mark = 0x4be0'71ad'f295'3c86;

    std::uint64_t marks[2];  // `apus::sql::list_statements` searches for them
    std::uint32_t is_table;
    std::uint32_t line;
    const char* file;
    const char* text;
    std::size_t size;
    const statement_types* types;

    constexpr std::string_view view() const noexcept { return {text, size}; }  ///< In static storage.
};

consteval statement_record record_of(text sql, bool is_table, const statement_types& types, const char* file,
                                     unsigned line) {
    return {.marks = {statement_record::first_mark, statement_record::second_mark},
            .is_table = is_table,
            .line = line,
            .file = file,
            .text = sql.view().data(),
            .size = sql.view().size(),
            .types = &types};
}

template <class A>
consteval const schema::type* argument_type() {
    if constexpr (std::is_same_v<A, std::nullopt_t>) return nullptr;
    else return &apus::detail::schema_table<std::remove_cvref_t<decltype(plain_argument(std::declval<const A&>()))>>;
}

template <class Row>
consteval const schema::type* row_type() {
    if constexpr (std::is_void_v<Row>) return nullptr;
    else return &apus::detail::schema_table<Row>;
}

/// Types of a statement with rows of type Row and arguments A.
template <class Row, class... A>
struct types_of_statement {
    static constexpr const schema::type* arguments[] = {argument_type<A>()..., nullptr};
    static constexpr statement_types value = {row_type<Row>(), arguments, sizeof...(A)};
};

/// A constant SQL statement, executed with the arguments A.
/// The number of placeholders is checked at compile time.
template <class Row, class... A>
class statement_of {
public:
    consteval statement_of(const char* sql, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE())
        : statement_of(statement_for<A...>(sql), file, line) {}
    /// For wrapper functions, whose parameter is not a constant.
    /// `apus db check` does not find such a statement.
    constexpr statement_of(statement_for<A...> sql)
        : record_{.text = sql.view().data(), .size = sql.view().size(), .types = nullptr} {}

    /// Returns the text. Prevents the compiler from removing the record from the program's data.
    std::string_view view() const noexcept {
        asm volatile("" : : "r"(&record_));
        return record_.view();
    }

private:
    consteval statement_of(statement_for<A...> sql, const char* file, unsigned line)
        : record_(record_of(text(sql.view().data()), false, types_of_statement<Row, A...>::value, file, line)) {}

    statement_record record_;
};

/// The constant name of a table with rows of type Row.
template <class Row>
class table_name {
public:
    consteval table_name(const char* name, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE())
        : name_(name, file, line), record_(record_of(name, true, types_of_statement<Row>::value, file, line)) {}

    text name() const noexcept {
        asm volatile("" : : "r"(&record_));
        return name_;
    }

private:
    text name_;
    statement_record record_;
};

}  // namespace apus::sql::detail
