// SPDX-License-Identifier: Apache-2.0
#include "redis/failure.hpp"

#include "http/error_extras.hpp"
#include "outbound/failure.hpp"

#include <apus/http.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace apus::redis {
namespace {

// Error replies can repeat arguments, which may contain any bytes.
using outbound::printable;
using outbound::unavailable;

bool cannot_serve_now(std::string_view code) noexcept {
    for (const std::string_view one : {"LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN"})
        if (code == one) return true;
    return false;
}

}  // namespace

error unreachable(std::string_view why) { return unavailable("Redis cannot be reached", why); }

error too_busy(std::string_view why) { return unavailable("too many requests use Redis at the same time", why); }

error late(std::string_view command) {
    error made(504, "Redis took too long");
    made.expose().cause(std::string("no reply in time; command: ").append(command));
    return made;
}

error unusable(std::string_view command, std::string_view why) {
    return error(500, "a command or reply of Redis cannot be used")
        .cause(std::string(why).append("; command: ").append(command));
}

error refused(std::string_view reply, std::string_view command, bool hidden) {
    const std::string code = printable(reply.substr(0, std::min(reply.find(' '), std::size_t(64))));
    const std::string text = hidden ? code + " (text hidden, an argument is a secret)" : printable(reply);
    error made =
        cannot_serve_now(code) ? unavailable("Redis cannot serve now", {}) : error(500, "a command of Redis failed");
    // A client of a cluster follows MOVED.
    const char* const hint = code == "MOVED" ? "; the URL of a cluster begins with redis+cluster://" : "";
    made.cause(text + hint + "; command: " + std::string(command));
    auto& extras = apus::detail::extras_of(made);
    extras.facts = std::make_shared<const command_failure>(command_failure{code});
    extras.facts_type = &apus::detail::type_key<command_failure>;
    return made;
}

const command_failure* failure_of(const error& why) noexcept {
    const auto* extras = why.extras();
    if (!extras || extras->facts_type != &apus::detail::type_key<command_failure>) return nullptr;
    return static_cast<const command_failure*>(extras->facts.get());
}

}  // namespace apus::redis
