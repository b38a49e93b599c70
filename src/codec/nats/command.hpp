// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Appends operations for a NATS server to a buffer of the caller. The caller has checked subjects and names
// (codec/nats/subject.hpp); payloads may contain any bytes.

namespace apus::codec::nats {

inline constexpr std::string_view ping = "PING\r\n";
inline constexpr std::string_view pong = "PONG\r\n";

/// Appends CONNECT with these options, a JSON object in one line.
void append_connect(std::string& to, std::string_view json);
/// Appends PUB, or HPUB if there are headers.
/// `reply`: subject for replies; may be empty. `headers`: block of `append_header`, or empty.
void append_publish(std::string& to, std::string_view subject, std::string_view reply, std::string_view headers,
                    std::string_view payload);
/// Appends SUB. `queue`: name of the queue group; may be empty.
void append_subscribe(std::string& to, std::string_view subject, std::string_view queue, std::uint64_t subscription);
void append_unsubscribe(std::string& to, std::uint64_t subscription);

}  // namespace apus::codec::nats
