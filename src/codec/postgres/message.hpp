// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"
#include "codec/postgres/integer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// Reads messages of a PostgreSQL server (frontend/backend protocol 3.0, after the startup phase). Does not check the
// order of messages.

namespace apus::codec::postgres {

/// Message types of a server. Messages of other types are invalid.
enum class message_type : char {
    parse_complete = '1',
    bind_complete = '2',
    close_complete = '3',
    notification = 'A',
    command_complete = 'C',
    data_row = 'D',
    error = 'E',
    copy_in = 'G',
    copy_out = 'H',
    empty_query = 'I',
    notice = 'N',
    parameter_status = 'S',
    row_description = 'T',
    copy_both = 'W',
    ready = 'Z',
    copy_done = 'c',
    copy_data = 'd',
    no_data = 'n',
    portal_suspended = 's',
    parameter_description = 't',
};

/// A message, without its type byte and its length.
struct message {
    message_type type;
    std::string_view body;
};

inline constexpr std::size_t message_head_size = 5;
/// Maximum size of messages other than rows. Row descriptions, errors and notices can be long.
inline constexpr std::size_t max_message = std::size_t(4) << 20U;
inline constexpr std::size_t max_short_message = 30'000;  ///< Maximum for types that are never long, as in libpq.

namespace refusals {
inline constexpr refusal unknown_message{503, "unknown message from PostgreSQL"};
inline constexpr refusal invalid_length{503, "a message from PostgreSQL has an invalid length"};
inline constexpr refusal message_too_long{503, "a message from PostgreSQL exceeds the limit"};
}  // namespace refusals

/// Reads the message at the front of `in`.
/// Its body is not checked. `max_row`: maximum size of DataRow and CopyData. Rejects an invalid length before the body
/// has arrived.
parsed<message> read_message(std::string_view in, std::size_t max_row) noexcept;

/// Removes a NUL-terminated text from the front of `from`.
/// Returns an empty optional if the NUL is missing.
std::optional<std::string_view> take_text(std::string_view& from) noexcept;

/// A column of RowDescription.
struct column {
    std::string_view name;
    std::uint32_t type;
};

/// Calls `f(column)` for each column of a RowDescription. Returns false if the body is malformed.
template <class F>
bool read_columns(std::string_view body, F f) {
    constexpr std::size_t facts = 18;  // table, attribute, type, size, modifier, format
    if (body.size() < 2) return false;
    unsigned left = load<std::uint16_t>(body.data());
    for (body.remove_prefix(2); left != 0; --left) {
        const auto name = take_text(body);
        if (!name || body.size() < facts) return false;
        f(column{*name, load<std::uint32_t>(body.data() + 6)});
        body.remove_prefix(facts);
    }
    return body.empty();
}

/// Calls `f(type)` for each parameter of a ParameterDescription.
/// Returns false if the body is malformed.
template <class F>
bool read_parameters(std::string_view body, F f) {
    if (body.size() < 2) return false;
    const std::size_t count = load<std::uint16_t>(body.data());
    if (body.size() != 2 + 4 * count) return false;
    for (std::size_t i = 0; i < count; ++i) f(load<std::uint32_t>(body.data() + 2 + 4 * i));
    return true;
}

/// A value in a row. If `is_null`, the value is NULL, and `bytes` is empty.
struct cell {
    std::string_view bytes;
    bool is_null;
};

/// Calls `f(cell)` for each value of a DataRow. Returns false if the body is malformed.
template <class F>
bool read_cells(std::string_view body, F f) {
    if (body.size() < 2) return false;
    unsigned left = load<std::uint16_t>(body.data());
    for (body.remove_prefix(2); left != 0; --left) {
        if (body.size() < 4) return false;
        const auto size = load<std::int32_t>(body.data());
        body.remove_prefix(4);
        if (size < -1 || (size > 0 && static_cast<std::size_t>(size) > body.size())) return false;
        const std::size_t used = size < 0 ? 0 : static_cast<std::size_t>(size);
        f(cell{body.substr(0, used), size < 0});
        body.remove_prefix(used);
    }
    return body.empty();
}

/// Returns true if a DataRow is well-formed and has this number of values.
bool is_row(std::string_view body, std::size_t columns) noexcept;

/// Calls `f(code, text)` for each field of an ErrorResponse or NoticeResponse.
/// Returns false if the body is malformed. Codes: 'C' SQLSTATE, 'M' message, 'H' hint, 't' table, 'c' column, 'n'
/// constraint, and others.
template <class F>
bool read_fields(std::string_view body, F f) {
    while (!body.empty() && body[0] != '\0') {
        const char code = body[0];
        body.remove_prefix(1);
        const auto text = take_text(body);
        if (!text) return false;
        f(code, *text);
    }
    return body.size() == 1;
}

/// Returns the tag of a CommandComplete, such as "INSERT 0 1"; empty if the body is malformed.
std::optional<std::string_view> read_tag(std::string_view body) noexcept;

/// Returns the number of rows in the tag of a command that changes rows; otherwise 0.
/// These commands are INSERT, UPDATE, DELETE, MERGE, COPY and MOVE.
std::int64_t changed_rows(std::string_view tag) noexcept;

/// State of the session in ReadyForQuery.
enum class transaction_state : char {
    idle = 'I',
    open = 'T',
    failed = 'E'
};

/// Returns the state in a ReadyForQuery; empty if the body is malformed.
std::optional<transaction_state> read_ready(std::string_view body) noexcept;

struct notification {
    std::string_view channel, payload;
};

/// Reads a NotificationResponse; returns an empty optional if the body is malformed.
std::optional<notification> read_notification(std::string_view body) noexcept;

/// Returns true if the body of CopyInResponse, CopyOutResponse or CopyBothResponse is well-formed.
bool is_copy_response(std::string_view body) noexcept;

}  // namespace apus::codec::postgres
