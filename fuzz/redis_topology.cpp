// SPDX-License-Identifier: Apache-2.0
#include "codec/resp/reply.hpp"
#include "redis/handshake.hpp"
#include "redis/sentinels.hpp"
#include "redis/slot_map.hpp"

#include "property.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// Well-formed replies with arbitrary contents, as nodes of a cluster and sentinels would send them.

namespace {

using namespace apus::redis;
using apus::fuzz::must;

bool is_valid(const host_port& at) { return !at.host.empty() && at.host.size() <= 255 && at.port != 0; }

void check_map(std::string_view reply, const host_port& from) {
    const auto map = read_slots(reply, from);
    if (!map) return;
    must(!map->nodes.empty() && map->nodes.size() <= max_nodes, "the number of nodes is limited");
    must(std::ranges::all_of(map->nodes, is_valid), "nodes have valid addresses");
    must(std::ranges::all_of(map->owner, [&](auto one) { return one <= map->nodes.size(); }), "owners are nodes");
    must(std::ranges::any_of(map->owner, [](auto one) { return one != 0; }), "a node serves a slot");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    std::string_view left(in.data(), size);
    const host_port from{.host = "replied", .port = 7};
    apus::codec::resp::reply_scanner scanner;
    while (true) {
        const auto got = scanner.scan(left);
        if (got.state != apus::codec::outcome::done) return 0;
        const std::string_view reply = left.substr(0, got.used);
        check_map(reply, from);
        const auto refusal = read_refusal(reply, from);
        const bool redirects = refusal.kind == refusal_kind::moved || refusal.kind == refusal_kind::ask;
        must(!redirects || (refusal.slot < slots && is_valid(refusal.to)), "a redirection has a slot and an address");
        const auto primary = read_primary(reply);
        must(!primary || is_valid(*primary), "a primary has a valid address");
        (void)is_healthy(reply);
        (void)is_switch_of(reply, "main");
        (void)read_facts(reply);
        left.remove_prefix(got.used);
    }
}
