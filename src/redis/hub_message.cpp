// SPDX-License-Identifier: Apache-2.0
#include "redis/hub_message.hpp"

#include "base/sized_text.hpp"
#include "base/utf8.hpp"

namespace apus::redis {
namespace {

// Format: the version, the node, 't' (text) or 'b' (binary), the size of the room's name in four bytes, the name, and
// the message.
constexpr std::string_view version = "apus-rm1";
constexpr unsigned size_bytes = 4;

}  // namespace

std::string to_bytes(const hub_message& of) {
    std::string made(version);
    made.reserve(version.size() + node_size + 1 + size_bytes + of.room.size() + of.message.bytes.size());
    made.append(of.node) += of.message.binary ? 'b' : 't';
    base::put_text(made, of.room, size_bytes);
    return made.append(of.message.bytes);
}

std::optional<hub_message> read_hub_message(std::string_view bytes) noexcept {
    if (!bytes.starts_with(version) || bytes.size() < version.size() + node_size + 1) return std::nullopt;
    bytes.remove_prefix(version.size());
    const std::string_view node = bytes.substr(0, node_size);
    const char kind = bytes[node_size];
    bytes.remove_prefix(node_size + 1);
    const auto room = base::take_text(bytes, size_bytes);
    if (!room || (kind != 't' && kind != 'b')) return std::nullopt;
    if (kind == 't' && !base::is_utf8(bytes)) return std::nullopt;
    return hub_message{node, *room, websocket_message{bytes, kind == 'b'}};
}

}  // namespace apus::redis
