// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/postgres/integer.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Appends messages of a PostgreSQL client (frontend/backend protocol 3.0) to a buffer of the caller. Texts must not
// contain NUL, and no message may exceed `max_request`.

namespace apus::codec::postgres {

inline constexpr std::size_t max_request = (std::size_t(1) << 30U) - 1;  ///< Limit of the server.

/// `types`: object identifiers of the first parameters' types. The server infers the other types.
void append_parse(std::string& to, std::string_view statement, std::string_view sql,
                  std::span<const std::uint32_t> types = {});
void append_describe_statement(std::string& to, std::string_view statement);
void append_describe_portal(std::string& to);  ///< Describes the unnamed portal.
void append_execute(std::string& to);          ///< Executes the unnamed portal, for all rows.
void append_close_statement(std::string& to, std::string_view statement);
void append_sync(std::string& to);
void append_query(std::string& to, std::string_view sql);
void append_copy_data(std::string& to, std::string_view data);
void append_copy_done(std::string& to);

/// Appends a Bind message for the unnamed portal, with results in binary format.
/// For each parameter, call either `add_null`, or `value` and `end_value`. At the end, call `end` or `undo`.
class bind_writer {
public:
    bind_writer(std::string& to, std::string_view statement, std::uint16_t parameters);
    bind_writer(const bind_writer&) = delete;
    bind_writer& operator=(const bind_writer&) = delete;

    void add_null();
    /// Returns the text to which the caller appends the bytes of the next value.
    std::string& value();
    void end_value(bool binary) noexcept;
    void end();
    void undo() noexcept { to_.resize(begin_); }
    std::size_t size() const noexcept { return to_.size() - begin_; }

private:
    std::string& to_;
    std::size_t begin_, formats_, value_ = 0;
    std::uint16_t next_ = 0;
};

}  // namespace apus::codec::postgres
