// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/log.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace apus::server {

enum class log_format : std::uint8_t {
    logfmt,
    json
};

/// A record before it is text.
struct log_record {
    std::int64_t unix_milliseconds = 0;
    log::level level = log::level::info;
    std::string_view message;
    std::string_view thread;
    std::span<const log::field> fields;
};

constexpr std::size_t log_line_most = 8 * 1024;  ///< Bytes of a line at most, with its end.
constexpr std::size_t log_text_most = 1024;      ///< Bytes taken of one text; a longer one ends in `...`.

/// Writes the record as one line, with its LF, into `out`, which has room for `log_line_most`
/// bytes, and says how many. No text can end the line or begin another field: control bytes,
/// invalid UTF-8 and characters that turn the direction of text are escaped or replaced. Fields
/// that find no room are left out, and `cut` is true then.
std::size_t write_log_line(const log_record& record, log_format format, char* out) noexcept;

}  // namespace apus::server
