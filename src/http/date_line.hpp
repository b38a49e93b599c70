// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace apus::http {

/// Writes "Date: ...\r\n" once a second (RFC 9110, 6.6.1).
class date_line {
public:
    /// A head of HTTP/1.1 up to and with its Date line, for a response of 200.
    std::string_view ok(std::int64_t unix_seconds) noexcept {
        if (unix_seconds != of_) write(unix_seconds);
        return {text_, sizeof text_};
    }
    std::string_view date(std::int64_t unix_seconds) noexcept { return ok(unix_seconds).substr(status_size); }

    /// The field's value alone.
    std::string_view value(std::int64_t unix_seconds) noexcept {
        return ok(unix_seconds).substr(status_size + name_size, value_size);
    }

private:
    static constexpr std::size_t status_size = 17;  // "HTTP/1.1 200 OK\r\n"
    static constexpr std::size_t name_size = 6;     // "Date: "
    static constexpr std::size_t value_size = 29;
    void write(std::int64_t unix_seconds) noexcept;

    std::int64_t of_ = -1;
    char text_[status_size + name_size + value_size + 2];
};

}  // namespace apus::http
