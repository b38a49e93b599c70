// SPDX-License-Identifier: Apache-2.0
#include "codec/postgres/message.hpp"

#include <charconv>

namespace apus::codec::postgres {
namespace {

/// Allowed body sizes of a message type.
struct size_range {
    std::size_t least, most;
    bool known = true;
};

size_range sizes_of(message_type type, std::size_t max_row) noexcept {
    switch (type) {
        case message_type::parse_complete:
        case message_type::bind_complete:
        case message_type::close_complete:
        case message_type::empty_query:
        case message_type::no_data:
        case message_type::portal_suspended:
        case message_type::copy_done: return {0, 0};
        case message_type::ready: return {1, 1};
        case message_type::data_row: return {2, max_row};
        case message_type::copy_data: return {0, max_row};
        case message_type::error:
        case message_type::notice: return {1, max_message};
        case message_type::row_description:
        case message_type::parameter_description: return {2, max_message};
        case message_type::notification: return {6, max_short_message};
        case message_type::command_complete: return {1, max_short_message};
        case message_type::parameter_status: return {2, max_short_message};
        case message_type::copy_in:
        case message_type::copy_out:
        case message_type::copy_both: return {3, max_short_message};
    }
    return {0, 0, false};
}

parsed<message> invalid(const refusal& why) noexcept { return {.state = outcome::bad, .why = &why}; }

}  // namespace

parsed<message> read_message(std::string_view in, std::size_t max_row) noexcept {
    constexpr std::size_t length_size = 4;  // included in the length
    if (in.empty()) return {.state = outcome::partial};
    const auto type = static_cast<message_type>(in[0]);
    const size_range allowed = sizes_of(type, max_row);
    if (!allowed.known) return invalid(refusals::unknown_message);
    if (in.size() < message_head_size) return {.state = outcome::partial};
    const std::size_t length = load<std::uint32_t>(in.data() + 1);
    if (length < length_size + allowed.least || length > INT32_MAX) return invalid(refusals::invalid_length);
    const std::size_t size = length - length_size;
    if (size > allowed.most) return invalid(allowed.most <= 1 ? refusals::invalid_length : refusals::message_too_long);
    if (in.size() - message_head_size < size) return {.state = outcome::partial};
    return {
        .state = outcome::done, .value = {type, in.substr(message_head_size, size)}, .used = message_head_size + size};
}

std::optional<std::string_view> take_text(std::string_view& from) noexcept {
    const auto end = from.find('\0');
    if (end == from.npos) return std::nullopt;
    const auto text = from.substr(0, end);
    from.remove_prefix(end + 1);
    return text;
}

bool is_row(std::string_view body, std::size_t columns) noexcept {
    return body.size() >= 2 && load<std::uint16_t>(body.data()) == columns && read_cells(body, [](const cell&) {});
}

std::optional<std::string_view> read_tag(std::string_view body) noexcept {
    const auto tag = take_text(body);
    return body.empty() ? tag : std::nullopt;
}

std::int64_t changed_rows(std::string_view tag) noexcept {
    const std::string_view command = tag.substr(0, tag.find(' '));
    for (const std::string_view changes : {"INSERT", "UPDATE", "DELETE", "MERGE", "COPY", "MOVE"}) {
        if (command != changes) continue;
        const std::string_view digits = tag.substr(tag.rfind(' ') + 1);
        std::int64_t n = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), n);
        return n < 0 ? 0 : n;
    }
    return 0;
}

std::optional<transaction_state> read_ready(std::string_view body) noexcept {
    if (body == "I" || body == "T" || body == "E") return static_cast<transaction_state>(body[0]);
    return std::nullopt;
}

std::optional<notification> read_notification(std::string_view body) noexcept {
    if (body.size() < 4) return std::nullopt;
    body.remove_prefix(4);  // the id of the sending process
    const auto channel = take_text(body), payload = channel ? take_text(body) : std::nullopt;
    if (!payload || !body.empty()) return std::nullopt;
    return notification{*channel, *payload};
}

bool is_copy_response(std::string_view body) noexcept {
    if (body.size() < 3 || (body[0] != 0 && body[0] != 1)) return false;
    return body.size() == 3 + 2 * std::size_t(load<std::uint16_t>(body.data() + 1));
}

}  // namespace apus::codec::postgres
