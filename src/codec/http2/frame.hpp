// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// Reads and writes heads and payloads of HTTP/2 frames (RFC 9113, 4 and 6). Does not implement the effects of frames on
// connections and streams.

namespace apus::codec::http2 {

/// Frame types of RFC 9113, 6, and RFC 9218, 7.1.
enum class frame_type : std::uint8_t {
    data = 0,
    headers = 1,
    priority = 2,
    rst_stream = 3,
    settings = 4,
    push_promise = 5,
    ping = 6,
    goaway = 7,
    window_update = 8,
    continuation = 9,
    priority_update = 16,
};

enum frame_flag : std::uint8_t {
    flag_none = 0,
    flag_end_stream = 1,
    flag_ack = 1,
    flag_end_headers = 4,
    flag_padded = 8,
    flag_priority = 32,
};

/// Error codes of RFC 9113, 7.
enum class error_code : std::uint32_t {
    no_error = 0,
    protocol_error = 1,
    internal_error = 2,
    flow_control_error = 3,
    settings_timeout = 4,
    stream_closed = 5,
    frame_size_error = 6,
    refused_stream = 7,
    cancel = 8,
    compression_error = 9,
    connect_error = 10,
    enhance_your_calm = 11,
};

/// Settings of RFC 9113, 6.5.2; RFC 8441, 3; RFC 9218, 2.1.
enum class setting : std::uint16_t {
    header_table_size = 1,
    enable_push = 2,
    max_concurrent_streams = 3,
    initial_window_size = 4,
    max_frame_size = 5,
    max_header_list_size = 6,
    enable_connect_protocol = 8,
    no_rfc7540_priorities = 9,
};

inline constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
inline constexpr std::size_t frame_head_size = 9;
inline constexpr std::uint32_t default_frame_size = 16 * 1024;   ///< Initial and smallest SETTINGS_MAX_FRAME_SIZE.
inline constexpr std::uint32_t default_window = 65'535;          ///< Initial window of a connection and of a stream.
inline constexpr std::uint32_t max_window = (1U << 31) - 1;      ///< RFC 9113, 6.9.1.
inline constexpr std::uint32_t max_stream = (1U << 31) - 1;      ///< Largest stream identifier.
inline constexpr std::uint32_t max_frame_size = (1U << 24) - 1;  ///< Largest SETTINGS_MAX_FRAME_SIZE.

/// The first nine bytes of a frame (RFC 9113, 4.1).
struct frame_head {
    std::uint32_t length = 0;  ///< Bytes of the payload, below 2^24.
    frame_type type = frame_type::data;
    std::uint8_t flags = flag_none;
    std::uint32_t stream = 0;  ///< Below 2^31; the reserved bit is ignored.

    bool has(frame_flag flag) const noexcept { return (flags & flag) != 0; }
    /// Returns true if receivers must limit the number of such frames.
    /// Processing such a frame takes CPU time, and no other limit bounds their number. Such frames are SETTINGS, PING,
    /// GOAWAY, PRIORITY, unknown frames, and empty DATA.
    bool is_control() const noexcept {
        switch (type) {
            case frame_type::data: return !length && !has(flag_end_stream);
            case frame_type::headers:
            case frame_type::rst_stream:
            case frame_type::continuation:
            case frame_type::window_update: return false;
            default: return true;
        }
    }
};

/// Returns true for known frame types. Frames of other types must be ignored (RFC 9113, 5.5).
constexpr bool is_known(frame_type type) noexcept {
    return type <= frame_type::continuation || type == frame_type::priority_update;
}

/// Reads an integer of `Bytes` bytes in network order.
template <std::size_t Bytes>
std::uint32_t read_number(const char* at) noexcept {
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < Bytes; ++i) n = n << 8 | static_cast<unsigned char>(at[i]);
    return n;
}
template <std::size_t Bytes>
char* write_number(char* to, std::uint32_t n) noexcept {
    for (std::size_t i = Bytes; i-- > 0; n >>= 8) to[i] = static_cast<char>(n);
    return to + Bytes;
}

/// Reads a frame head from the `frame_head_size` bytes at `at`.
inline frame_head read_frame_head(const char* at) noexcept {
    return {read_number<3>(at), static_cast<frame_type>(at[3]), static_cast<std::uint8_t>(at[4]),
            read_number<4>(at + 5) & max_stream};
}
inline char* write_frame_head(char* to, const frame_head& head) noexcept {
    to = write_number<3>(to, head.length);
    *to++ = static_cast<char>(head.type);
    *to++ = static_cast<char>(head.flags);
    return write_number<4>(to, head.stream);
}

/// Checks whether the size and stream of a frame are valid for its type (RFC 9113, 6).
/// Returns the connection error, or `no_error`. PUSH_PROMISE is an error: clients must not send it, and servers only if
/// the client has enabled push.
error_code fault_of(const frame_head&) noexcept;

/// Removes the padding from the payload of DATA or HEADERS (RFC 9113, 6.1).
/// Returns false if the padding exceeds the payload.
bool strip_padding(const frame_head&, std::string_view& payload) noexcept;

/// Removes the priority fields of RFC 7540 from the payload of HEADERS, after `strip_padding`.
/// Returns false if the fields are incomplete, or if the stream depends on itself.
bool strip_priority(const frame_head&, std::string_view& payload) noexcept;

struct setting_value {
    setting name;
    std::uint32_t value;
};
inline constexpr std::size_t setting_size = 6;

/// Reads a setting from the `setting_size` bytes at `at`.
inline setting_value read_setting(const char* at) noexcept {
    return {static_cast<setting>(read_number<2>(at)), read_number<4>(at + 2)};
}
inline char* write_setting(char* to, setting_value s) noexcept {
    return write_number<4>(write_number<2>(to, static_cast<std::uint32_t>(s.name)), s.value);
}
/// Returns the connection error for a setting, or `no_error`.
/// Unknown settings are valid (RFC 9113, 6.5.2).
error_code fault_of(setting_value) noexcept;

// These functions write whole frames and return the end. `to` must have as many bytes as the constant of the frame.
inline constexpr std::size_t window_update_size = 13, rst_stream_size = 13, ping_size = 17, goaway_size = 17;
char* write_window_update(char* to, std::uint32_t stream, std::uint32_t increment) noexcept;
char* write_rst_stream(char* to, std::uint32_t stream, error_code) noexcept;
char* write_ping_ack(char* to, std::string_view opaque) noexcept;  ///< `opaque`: the eight bytes of the PING.
char* write_goaway(char* to, std::uint32_t last_stream, error_code) noexcept;
char* write_settings_ack(char* to) noexcept;  ///< `frame_head_size` bytes.

}  // namespace apus::codec::http2
