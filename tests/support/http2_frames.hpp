// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

// HTTP/2 frames (RFC 9113, 4) built by hand, valid or malformed.

namespace apus::test::h2 {

enum frame_types : std::uint8_t {
    data_type,
    headers_type,
    priority_type,
    reset_type,
    settings_type,
    push_type,
    ping_type,
    goaway_type,
    window_type,
    continuation_type
};

enum flags : std::uint8_t {
    no_flags = 0,
    end_stream = 1,
    ack = 1,
    end_headers = 4,
    ends_all = 5,
    padded = 8
};

inline std::string number(std::uint64_t n, int bytes) {
    std::string all;
    while (bytes--) all += static_cast<char>(n >> bytes * 8 & 0xff);
    return all;
}

inline std::string frame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream, std::string_view payload = {}) {
    return number(payload.size(), 3) + number(type, 1) + number(flags, 1) + number(stream, 4) + std::string(payload);
}

using field_list = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Encodes fields as HPACK literals without indexing (RFC 7541, 6.2.2).
/// Names and values have at most 16 KiB.
inline std::string literals(field_list fields) {
    const auto text = [](std::string_view t) {
        if (t.size() < 127) return static_cast<char>(t.size()) + std::string(t);
        const std::size_t more = t.size() - 127;
        return std::string{'\x7f', static_cast<char>(more % 128 | 128), static_cast<char>(more / 128)} + std::string(t);
    };
    std::string all;
    for (auto& [name, value] : fields) all += '\0' + text(name) + text(value);
    return all;
}

inline std::string settings(std::initializer_list<std::pair<std::uint16_t, std::uint32_t>> values = {}) {
    std::string payload;
    for (auto& [id, value] : values) payload += number(id, 2) + number(value, 4);
    return frame(settings_type, no_flags, 0, payload);
}

inline std::string data(std::uint32_t stream, std::string_view bytes, std::uint8_t how = no_flags) {
    return frame(data_type, how, stream, bytes);
}
inline std::string window_update(std::uint32_t stream, std::uint32_t by) {
    return frame(window_type, no_flags, stream, number(by, 4));
}
inline std::string reset(std::uint32_t stream, std::uint32_t code = 8) {
    return frame(reset_type, no_flags, stream, number(code, 4));
}

}  // namespace apus::test::h2
