// SPDX-License-Identifier: Apache-2.0
#include "nats/failure.hpp"

#include "http/error_extras.hpp"
#include "outbound/failure.hpp"

#include <apus/http.hpp>

#include <memory>
#include <string>

namespace apus::nats {

using outbound::unavailable;

error unreachable(std::string_view why) { return unavailable("NATS cannot be reached", why); }

error too_busy(std::string_view why) { return unavailable("too many requests use NATS at the same time", why); }

error late(std::string_view what) {
    error made(504, "NATS took too long");
    made.expose().cause(std::string("not received in time: ").append(what));
    return made;
}

error invalid(std::string_view why) { return {400, std::string("NATS: ").append(why)}; }

error too_large(std::size_t size, std::size_t most) {
    return error(413, "a message for NATS is too large")
        .cause(std::to_string(size) + " bytes, over max_payload of the server: " + std::to_string(most));
}

error unusable(std::string_view why) { return error(500, "a message of NATS cannot be used").cause(why); }

error refused(const request_failure& facts, std::string_view why) {
    error made =
        facts.status == 503 ? unavailable("NATS cannot serve now", {}) : error(500, "NATS has refused a message");
    made.cause(outbound::printable(why));
    auto& extras = apus::detail::extras_of(made);
    extras.facts = std::make_shared<const request_failure>(facts);
    extras.facts_type = &apus::detail::type_key<request_failure>;
    return made;
}

const request_failure* failure_of(const error& why) noexcept {
    const auto* extras = why.extras();
    if (!extras || extras->facts_type != &apus::detail::type_key<request_failure>) return nullptr;
    return static_cast<const request_failure*>(extras->facts.get());
}

}  // namespace apus::nats
