// SPDX-License-Identifier: Apache-2.0
#include "redis/slot_map.hpp"

#include "codec/resp/reply.hpp"
#include "redis/handshake.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace apus::redis {
namespace {

using codec::resp::element;
using codec::resp::kind;
using codec::resp::skip_elements;
using codec::resp::take_element;

/// A range of slots, and the primary that serves them.
struct range {
    std::int64_t first = -1, last = -1;
    std::optional<host_port> at;
};

// Reads [host, port, id, ...]. The host is null or empty if it is that of the node that has replied.
std::optional<host_port> take_node(std::string_view& from, const host_port& replied) {
    const element head = take_element(from);
    if (head.what != kind::list || head.count < 2) {
        skip_elements(from, head.count);
        return std::nullopt;
    }
    std::string_view rest = from;
    skip_elements(from, head.count);
    const element host = take_element(rest);
    if (host.what != kind::text && host.what != kind::null) return std::nullopt;
    const element port = take_element(rest);
    if (port.what != kind::integer || host.text == "?") return std::nullopt;
    return read_host_port(host.text.empty() ? std::string_view(replied.host) : host.text, port.integer);
}

// Reads [first slot, last slot, primary, replicas...].
range take_range(std::string_view& from, const host_port& replied) {
    range made;
    const element head = take_element(from);
    std::string_view rest = from;
    skip_elements(from, head.count);
    if (head.what != kind::list || head.count < 3) return made;
    const element first = take_element(rest);
    if (first.what != kind::integer) return made;
    const element last = take_element(rest);
    if (last.what != kind::integer) return made;
    made.first = first.integer;
    made.last = last.integer;
    made.at = take_node(rest, replied);
    return made;
}

bool starts_with_word(std::string_view text, std::string_view word) {
    return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ');
}

}  // namespace

std::optional<slot_map> read_slots(std::string_view reply, const host_port& from) {
    const element head = take_element(reply);
    if (head.what != kind::list) return std::nullopt;
    std::optional<slot_map> made(std::in_place);
    std::int64_t served = 0;
    std::map<host_port, std::uint16_t> known;  // index plus 1
    for (std::size_t i = 0; i < head.count; ++i) {
        const range one = take_range(reply, from);
        if (!one.at || one.first < 0 || one.last < one.first || one.last >= std::int64_t(slots)) continue;
        served += one.last - one.first + 1;
        if (served > std::int64_t(slots)) return std::nullopt;  // overlapping ranges
        const auto [found, added] = known.emplace(*one.at, static_cast<std::uint16_t>(made->nodes.size() + 1));
        if (added) made->nodes.push_back(*one.at);
        if (made->nodes.size() > max_nodes) return std::nullopt;
        std::fill(made->owner.begin() + one.first, made->owner.begin() + one.last + 1, found->second);
    }
    if (made->nodes.empty()) made.reset();
    return made;
}

// An access list may refuse CLUSTER INFO.
bool is_healthy(std::string_view reply) noexcept {
    const element head = take_element(reply);
    return head.what != kind::text || !head.text.contains("cluster_state:fail");
}

// The texts are "MOVED SLOT HOST:PORT" and "ASK SLOT HOST:PORT"; the host may be empty, and may contain colons.
cluster_refusal read_refusal(std::string_view reply, const host_port& from) {
    if (!reply.starts_with('-') && !reply.starts_with('!')) return {};
    std::string_view text = take_element(reply).text;
    if (starts_with_word(text, "TRYAGAIN") || starts_with_word(text, "CLUSTERDOWN"))
        return {.kind = refusal_kind::later};
    const bool moved = starts_with_word(text, "MOVED");
    if (!moved && !starts_with_word(text, "ASK")) return {};
    text.remove_prefix(std::min(text.size(), text.find(' ')));
    cluster_refusal invalid{.kind = refusal_kind::invalid};
    if (text.empty()) return invalid;
    unsigned slot = slots;
    const auto [end, why] = std::from_chars(text.data() + 1, text.data() + text.size(), slot);
    if (why != std::errc() || slot >= slots) return invalid;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const auto colon = text.rfind(':');
    if (!text.starts_with(' ') || colon == text.npos) return invalid;
    const std::string_view host = text.substr(1, colon - 1);
    if (host == "?") return invalid;  // the node does not know its name
    const auto to = read_host_port(host.empty() ? std::string_view(from.host) : host, text.substr(colon + 1));
    if (!to) return invalid;
    return {
        .kind = moved ? refusal_kind::moved : refusal_kind::ask, .slot = static_cast<std::uint16_t>(slot), .to = *to};
}

}  // namespace apus::redis
