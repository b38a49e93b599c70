// SPDX-License-Identifier: Apache-2.0
#include "redis/hub_message.hpp"

#include "base/utf8.hpp"

#include <cstdint>

namespace apus::redis {
namespace {

// The version, the node, 't' or 'b', the size of the room in four bytes, the room, and the message.
constexpr std::string_view version = "apus-rm1";

}  // namespace

std::string to_bytes(const hub_message& of) {
    std::string made(version);
    made.reserve(version.size() + node_size + 5 + of.room.size() + of.message.bytes.size());
    made.append(of.node) += of.message.binary ? 'b' : 't';
    for (unsigned shift = 0; shift < 32; shift += 8) made += static_cast<char>(of.room.size() >> shift & 0xff);
    return made.append(of.room).append(of.message.bytes);
}

std::optional<hub_message> read_hub_message(std::string_view bytes) noexcept {
    if (!bytes.starts_with(version) || bytes.size() < version.size() + node_size + 5) return std::nullopt;
    bytes.remove_prefix(version.size());
    const std::string_view node = bytes.substr(0, node_size);
    const char kind = bytes[node_size];
    bytes.remove_prefix(node_size + 1);
    std::uint32_t size = 0;
    for (unsigned i = 0; i < 4; ++i) size |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    bytes.remove_prefix(4);
    if (size > bytes.size() || (kind != 't' && kind != 'b')) return std::nullopt;
    const std::string_view text = bytes.substr(size);
    if (kind == 't' && !base::is_utf8(text)) return std::nullopt;
    return hub_message{node, bytes.substr(0, size), websocket_message{text, kind == 'b'}};
}

}  // namespace apus::redis
