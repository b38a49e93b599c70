// SPDX-License-Identifier: Apache-2.0
#include "http/in_flight.hpp"

#include "http/core.hpp"
#include "http/served_exchange.hpp"
#include "tracing/trace.hpp"

namespace apus::http {
namespace {

const char* state_of(const served_exchange& x) noexcept {
    if (x.tunnel) return "tunnel";
    switch (x.at) {
        case stage::request: return "receiving";
        case stage::handling: return "handling";
        case stage::producing: return "sending";
        case stage::complete: break;
    }
    return "ending";
}

}  // namespace

std::vector<in_flight_request> describe_in_flight(core& of, std::size_t most) {
    std::vector<in_flight_request> made;
    const std::uint64_t now = core::nanoseconds();
    const auto* each = of.in_flight.first();
    for (; each != of.in_flight.end() && made.size() < most; each = each->after) {
        auto& x = const_cast<served_exchange&>(static_cast<const served_exchange&>(*each));
        if (of.log_access && x.address.empty()) x.via->find_address(x);
        auto& to = made.emplace_back();
        to.method = x.text(x.head.verb_text);
        to.route = of.app.matched_route(x);
        to.path = of.path_in_logs(x);
        to.id = x.given_id();
        if (of.log_access) to.address = x.address;
        if (x.trace) to.trace = x.trace->id();
        if (x.started && now > x.started) to.age = now - x.started;
        to.state = state_of(x);
    }
    return made;
}

}  // namespace apus::http
