// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace apus::http {

/// The Date field (RFC 9110, 6.6.1), formatted once per second.
class date_line {
public:
    /// Returns the status line and the Date line of an HTTP/1.1 response with status 200.
    std::string_view ok(std::int64_t unix_seconds) noexcept {
        if (unix_seconds != of_) write(unix_seconds);
        return {text_, sizeof text_};
    }
    std::string_view date(std::int64_t unix_seconds) noexcept { return ok(unix_seconds).substr(status_size); }

    /// Returns the value of the field.
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
