// SPDX-License-Identifier: Apache-2.0
#include "codec/http2/frame.hpp"

#include <cstring>

namespace apus::codec::http2 {
namespace {

// Requirements by frame type: RFC 9113, 6.
error_code fault_of_size(bool fits) noexcept { return fits ? error_code::no_error : error_code::frame_size_error; }

// Returns the error for a frame whose stream identifier or size is invalid.
error_code check(bool has_its_stream, bool fits) noexcept {
    return has_its_stream ? fault_of_size(fits) : error_code::protocol_error;
}

}  // namespace

error_code fault_of(const frame_head& head) noexcept {
    const bool of_stream = head.stream != 0;
    const std::uint32_t extra = head.has(flag_padded) ? 1 : 0;
    switch (head.type) {
        case frame_type::data: return check(of_stream, head.length >= extra);
        case frame_type::headers: return check(of_stream, head.length >= extra + (head.has(flag_priority) ? 5 : 0));
        case frame_type::priority: return check(of_stream, head.length == 5);
        case frame_type::rst_stream: return check(of_stream, head.length == 4);
        case frame_type::settings:
            return check(!of_stream, head.has(flag_ack) ? head.length == 0 : head.length % setting_size == 0);
        case frame_type::ping: return check(!of_stream, head.length == 8);
        case frame_type::goaway: return check(!of_stream, head.length >= 8);
        case frame_type::window_update: return fault_of_size(head.length == 4);
        case frame_type::priority_update: return check(!of_stream, head.length >= 4);
        case frame_type::continuation: return check(of_stream, true);
        case frame_type::push_promise: return error_code::protocol_error;
    }
    return error_code::no_error;
}

bool strip_padding(const frame_head& head, std::string_view& payload) noexcept {
    if (!head.has(flag_padded)) return true;
    if (payload.empty()) return false;
    const std::size_t padding = static_cast<unsigned char>(payload.front());
    payload.remove_prefix(1);
    if (padding > payload.size()) return false;
    payload.remove_suffix(padding);
    return true;
}

bool strip_priority(const frame_head& head, std::string_view& payload) noexcept {
    constexpr std::size_t size = 5;
    if (!head.has(flag_priority)) return true;
    if (payload.size() < size) return false;
    const std::uint32_t on = read_number<4>(payload.data()) & max_stream;
    payload.remove_prefix(size);
    return on != head.stream;
}

error_code fault_of(setting_value s) noexcept {
    const auto check_range = [&s](std::uint32_t least, std::uint32_t most, error_code otherwise) {
        return s.value >= least && s.value <= most ? error_code::no_error : otherwise;
    };
    switch (s.name) {
        case setting::enable_push:
        case setting::enable_connect_protocol:
        case setting::no_rfc7540_priorities: return check_range(0, 1, error_code::protocol_error);
        case setting::initial_window_size: return check_range(0, max_window, error_code::flow_control_error);
        case setting::max_frame_size:
            return check_range(default_frame_size, max_frame_size, error_code::protocol_error);
        case setting::header_table_size:
        case setting::max_concurrent_streams:
        case setting::max_header_list_size: break;
    }
    return error_code::no_error;
}

char* write_window_update(char* to, std::uint32_t stream, std::uint32_t increment) noexcept {
    return write_number<4>(write_frame_head(to, {4, frame_type::window_update, flag_none, stream}), increment);
}

char* write_rst_stream(char* to, std::uint32_t stream, error_code code) noexcept {
    to = write_frame_head(to, {4, frame_type::rst_stream, flag_none, stream});
    return write_number<4>(to, static_cast<std::uint32_t>(code));
}

char* write_ping_ack(char* to, std::string_view opaque) noexcept {
    constexpr std::uint32_t size = ping_size - frame_head_size;
    to = write_frame_head(to, {size, frame_type::ping, flag_ack, 0});
    std::memcpy(to, opaque.data(), size);
    return to + size;
}

char* write_goaway(char* to, std::uint32_t last_stream, error_code code) noexcept {
    to = write_frame_head(to, {8, frame_type::goaway, flag_none, 0});
    return write_number<4>(write_number<4>(to, last_stream), static_cast<std::uint32_t>(code));
}

char* write_settings_ack(char* to) noexcept { return write_frame_head(to, {0, frame_type::settings, flag_ack, 0}); }

}  // namespace apus::codec::http2
