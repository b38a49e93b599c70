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

/// A record before formatting.
struct log_record {
    std::int64_t unix_milliseconds = 0;
    log::level level = log::level::info;
    std::string_view message;
    std::string_view thread;
    std::span<const log::field> fields;
};

constexpr std::size_t max_log_line = 8 * 1024;  ///< Maximum size of a line in bytes, including LF.
/// Maximum length of a text in bytes; longer texts are truncated and end in `...`.
constexpr std::size_t max_log_text = 1024;

/// Writes the record as one line, including LF, to `out`, and returns the line's size.
/// `out` has room for `max_log_line` bytes. Texts cannot end the line or start another field: control characters,
/// invalid UTF-8 and bidirectional controls are escaped or replaced. Fields that do not fit are dropped, and `cut` is
/// set.
std::size_t write_log_line(const log_record& record, log_format format, char* out) noexcept;

}  // namespace apus::server
