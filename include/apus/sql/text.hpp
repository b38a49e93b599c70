// SPDX-License-Identifier: Apache-2.0
#pragma once

// SQL statements as constants of the program.

#include <apus/detail/schema_of.hpp>

#include <string_view>
#include <type_traits>

namespace apus::sql {

namespace detail {

/// Returns the greatest n of the placeholders $n outside quotes and comments.
constexpr unsigned count_placeholders(std::string_view sql) {
    unsigned greatest = 0;
    for (std::size_t i = 0; i < sql.size(); ++i) {
        const char c = sql[i];
        if (c == '\'' || c == '"') {
            i = sql.find(c, i + 1);
        } else if (sql.substr(i, 2) == "--") {
            i = sql.find('\n', i);
        } else if (sql.substr(i, 2) == "/*") {
            i = sql.find("*/", i);
        } else if (c == '$') {
            unsigned n = 0;
            while (i + 1 < sql.size() && sql[i + 1] >= '0' && sql[i + 1] <= '9' && n < 100'000)
                n = n * 10 + static_cast<unsigned>(sql[++i] - '0');
            greatest = n > greatest ? n : greatest;
        }
        if (i == sql.npos) break;
    }
    return greatest;
}

// Not constexpr: a call in constant evaluation is a compile error, which shows this name.
void number_of_arguments_differs_from_placeholders();

/// Number of statement parameters that an argument provides.
template <class A>
constexpr unsigned parameter_count() {
    if constexpr (apus::detail::schema_aggregate<A>) return apus::detail::schema_table<A>.field_count;
    else return 1;
}

}  // namespace detail

namespace detail {

template <class Row, class... A>
class statement_of;
template <class Row>
class table_name;

}  // namespace detail

/// SQL text that is a constant of the program, never composed at run time.
class text {
public:
    consteval text(const char* sql, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE())
        : sql_(sql), file_(file), line_(line) {}
    constexpr std::string_view view() const noexcept { return sql_; }  ///< In static storage.

    constexpr const char* file() const noexcept { return file_; }  ///< Position of the constant in the source.
    constexpr unsigned line() const noexcept { return line_; }

    /// Converts to a parameter of `executor`.
    /// The result is const, so that compilers place it in constant data.
    template <class Row, class... A>
    consteval operator const detail::statement_of<Row, A...>() const {
        return detail::statement_of<Row, A...>(sql_.data(), file_, line_);
    }
    template <class Row>
    consteval operator const detail::table_name<Row>() const {
        return detail::table_name<Row>(sql_.data(), file_, line_);
    }

private:
    std::string_view sql_;
    const char* file_;
    unsigned line_;
};

/// A `text` with one placeholder $1, $2, ... for each parameter of the arguments A.
/// The number is checked at compile time.
template <class... A>
class statement_for {
public:
    consteval statement_for(const char* sql) : statement_for(text(sql)) {}
    consteval statement_for(text sql) : sql_(sql) {
        if (detail::count_placeholders(sql.view()) != (0 + ... + detail::parameter_count<A>()))
            detail::number_of_arguments_differs_from_placeholders();
    }
    constexpr std::string_view view() const noexcept { return sql_.view(); }  ///< In static storage.

private:
    text sql_;
};

}  // namespace apus::sql
