// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>

// Lines of crash reports. A report is text: `first_line`, then a line for each fact, and `last_line`. A line is a key
// and up to `max_fields` fields, each after a tab. Bytes that are not printable ASCII are `%` and two hexadecimal
// digits, and so is `%`. Writing does not allocate, so signal handlers may write reports.

namespace apus::codec::crash {

inline constexpr std::string_view first_line = "apus crash report 1", last_line = "end";
inline constexpr std::size_t max_fields = 8, max_line = 4096;

/// Escapes a text into `to`, as much of it as there is room for.
/// Returns the number of bytes written.
std::size_t escape(std::string_view text, std::span<char> to) noexcept;

/// Returns the original text. An incomplete escape stays as it is.
std::string unescaped(std::string_view field);

/// A line, as views into its text.
struct line {
    std::string_view key;
    std::array<std::string_view, max_fields> fields{};  ///< Still escaped; missing fields are empty.
};

/// Why a line is rejected.
enum class flaw : unsigned char {
    too_long,         ///< More than `max_line` bytes.
    too_many_fields,  ///< More than `max_fields`.
    unprintable,      ///< A byte that must be escaped.
    no_key            ///< The line is empty or begins with a tab.
};

/// Parses a line, without its line feed.
std::expected<line, flaw> parse(std::string_view text) noexcept;

}  // namespace apus::codec::crash
