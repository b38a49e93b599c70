// SPDX-License-Identifier: Apache-2.0
#include "redis/connector.hpp"

#include "codec/resp/command.hpp"
#include "codec/resp/reply.hpp"
#include "net/resolver.hpp"
#include "outbound/with_deadline.hpp"
#include "redis/failure.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace apus::redis {
namespace {

using codec::outcome;
using codec::resp::kind;

task<std::vector<net::endpoint>> addresses(const address& to, std::uint64_t due) {
    if (!to.path.empty()) {
        auto at = net::endpoint::parse("unix:" + to.path);
        if (!at) co_await failure(unreachable(at.error()));
        co_return std::vector<net::endpoint>(1, *at);
    }
    outbound::with_deadline looked_up(net::resolve(to.host, to.port), due);
    auto found = co_await looked_up;
    if (!found) co_await failure(unreachable("timeout while resolving the host"));
    if (!*found) co_await failure(unreachable(found->error().detail()));
    co_return **std::move(found);
}

std::string reason_of(const outbound::connect_errors& why) {
    if (!why.certificate_error.empty()) return "the certificate is not trusted: " + std::string(why.certificate_error);
    if (why.error == EPROTO) return "the TLS handshake has failed";
    return why.error == 0 || why.error == ETIMEDOUT ? "timeout while connecting" : std::strerror(why.error);
}

task<transport_ptr> dial(const shared_state& s, runtime::loop& loop, std::uint64_t due) {
    const auto all = co_await addresses(s.to, due);
    auto* const tls = s.to.secure ? s.tls.operator->() : nullptr;
    outbound::connect_errors why;
    auto made = co_await outbound::connect_in_turn(
        loop, {.addresses = all, .tls = tls, .host = s.to.host, .keep_alive = true}, due, why);
    if (!made) co_await failure(unreachable(reason_of(why)));
    co_return std::move(made);
}

// Returns the first commands of a connection, and their number.
std::pair<std::string, unsigned> greeting(const address& to) {
    std::string text;
    const std::string_view user = to.user.empty() ? std::string_view("default") : std::string_view(to.user);
    if (to.password.empty()) codec::resp::append_command(text, {"HELLO", "3", "SETNAME", "apus"});
    else codec::resp::append_command(text, {"HELLO", "3", "AUTH", user, to.password, "SETNAME", "apus"});
    if (to.database == 0) return {std::move(text), 1};
    codec::resp::append_command(text, {"SELECT", std::to_string(to.database)});
    return {std::move(text), 2};
}

}  // namespace

task<transport_ptr> connect(const shared_state& s, runtime::loop& loop, std::uint64_t due) {
    auto made = co_await dial(s, loop, due);
    auto [text, left] = greeting(s.to);
    made->send(text);
    codec::resp::reply_scanner scanner({.bytes = 64 * 1024, .elements = 1'024});
    while (left != 0) {
        made->gather();
        const auto got = scanner.scan(made->unread());
        if (got.state == outcome::bad) co_await failure(unreachable(got.why->reason));
        if (got.state == outcome::partial) {
            if (made->ended()) co_await failure(unreachable("Redis has closed the connection"));
            if (co_await made->reading.until(due) == outbound::wake::late)
                co_await failure(unreachable("timeout: Redis does not respond to HELLO"));
            continue;
        }
        std::string_view reply = made->unread().substr(0, got.used);
        made->use(got.used);
        if (got.value == kind::push) continue;
        --left;
        if (got.value != kind::error) continue;
        // Hides the text of the error: user name and password are arguments of HELLO.
        const std::string cause(refused(codec::resp::take_element(reply).text, "HELLO or SELECT", true).cause());
        co_await failure(unreachable(cause));
    }
    co_return std::move(made);
}

}  // namespace apus::redis
