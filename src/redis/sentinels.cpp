// SPDX-License-Identifier: Apache-2.0
#include "redis/sentinels.hpp"

#include "base/reason.hpp"
#include "codec/resp/command.hpp"
#include "codec/resp/reply.hpp"
#include "redis/election.hpp"
#include "redis/failure.hpp"

#include <apus/channel.hpp>
#include <apus/task_scope.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

namespace apus::redis {
namespace {

using codec::outcome;
using codec::resp::element;
using codec::resp::kind;
using codec::resp::take_element;

constexpr std::string_view topic = "+switch-master";

struct vote {
    std::optional<host_port> primary;
    std::string why_not;
};

task<transport_ptr> connect_to_sentinel(const shared_state& s, runtime::loop& loop, const host_port& at,
                                        std::uint64_t due) {
    auto made = co_await dial(loop, at, s.sentinel_tls, due);
    co_await greet(*made, {.user = s.options.sentinel.user, .password = s.options.sentinel.password}, due);
    co_return std::move(made);
}

task<std::optional<host_port>> ask_sentinel(const shared_state& s, runtime::loop& loop, const host_port& at,
                                            std::uint64_t due) {
    auto made = co_await connect_to_sentinel(s, loop, at, due);
    std::string wire;
    codec::resp::append_command(wire, {"SENTINEL", "GET-MASTER-ADDR-BY-NAME", s.to.service});
    made->send(wire);
    const std::string reply = co_await read_reply(*made, "SENTINEL", due);
    std::string_view rest = reply;
    const element head = take_element(rest);
    if (head.what == kind::error) {
        const std::string cause(refused(head.text, "SENTINEL", false).cause());
        co_await failure(unreachable(cause));
    }
    co_return read_primary(reply);
}

task<> cast_vote(const shared_state& s, runtime::loop& loop, const host_port& at, std::uint64_t due,
                 channel<vote> votes) {
    vote made;
    try {
        const auto got = co_await ask_sentinel(s, loop, at, due).outcome();
        if (got) made.primary = *got;
        if (!made.primary)
            made.why_not =
                "sentinel " + to_text(at) + ": " +
                (got ? "no valid address for the service " + s.to.service : std::string(base::reason_of(got.error())));
    } catch (const std::bad_alloc&) {  // the election waits for each vote
        made.why_not = "out of memory";
    }
    static_cast<void>(votes.try_send(std::move(made)));  // the channel has room for all votes
}

// One sentinel that does not respond must not use up the time for connecting to the primary.
std::uint64_t deadline_of_votes(const shared_state& s, runtime::loop& loop, std::uint64_t due) {
    return std::min(due, loop.due_in(duration::from_nanoseconds(s.options.connect_timeout.nanoseconds() / 4)));
}

task<connected> connect_as_primary(const shared_state& s, runtime::loop& loop, host_port at, std::uint64_t due) {
    auto made = co_await connect_to_node(s, loop, at, due).outcome();
    if (!made)
        co_await failure(unreachable("primary " + to_text(at) + ": " + std::string(base::reason_of(made.error()))));
    if (made->facts.role != "master")
        co_await failure(unreachable("the sentinels name a server that is not a primary: " + to_text(at)));
    co_return *std::move(made);
}

}  // namespace

task<connected> connect_to_primary(const shared_state& s, runtime::loop& loop, std::uint64_t due) {
    const auto& sentinels = s.to.hosts;
    const channel<vote> votes(sentinels.size());
    task_scope asking({.on_failure = task_failure::only_logged, .limit = max_hosts, .name = "redis sentinels"});
    for (const host_port& one : sentinels)
        asking.spawn(cast_vote(s, loop, one, deadline_of_votes(s, loop, due), votes));
    election of(sentinels.size());
    std::string why;
    while (true) {
        if (const auto at = of.next()) {
            // Leaves half of the time to other servers: the first one may not respond.
            const std::uint64_t now = loop.now(), share = due > now ? (due - now) / 2 : 0;
            auto made = co_await connect_as_primary(s, loop, *at, now + share).outcome();
            if (made) {
                made->agreed = of.agrees_on(*at);
                co_return *std::move(made);
            }
            why = base::reason_of(made.error());
            continue;
        }
        if (of.complete()) break;
        const auto one = co_await votes.receive();  // each sentinel has a deadline
        of.vote(one->primary);
        if (why.empty() || !one->why_not.empty()) why = one->why_not;
    }
    co_await failure(unreachable(why));
    co_return connected();
}

task<> watch_sentinel(const shared_state& s, runtime::loop& loop, const host_port& at, std::function<void()> changed) {
    const auto interval = [&] { return loop.due_in(s.options.connect_timeout); };
    auto io = co_await connect_to_sentinel(s, loop, at, interval());
    std::string wire, ping;
    codec::resp::append_command(wire, {"SUBSCRIBE", topic});
    codec::resp::append_command(ping, {"PING"});
    io->send(wire);
    codec::resp::reply_scanner scanner({.bytes = 64 * 1024, .elements = 1'024});
    bool heard = true, confirmed = false;
    for (std::uint64_t due = interval(); true;) {
        heard |= io->gather();
        const auto got = scanner.scan(io->unread());
        if (got.state == outcome::bad) co_await failure(unreachable(got.why->reason));
        if (got.state == outcome::done) {
            const std::string_view message = io->unread().substr(0, got.used);
            // The first message confirms the subscription. The primary may have changed before.
            if (got.value == kind::push && (!std::exchange(confirmed, true) || is_switch_of(message, s.to.service)))
                changed();
            if (got.value == kind::error) co_await failure(unreachable("the sentinel refuses the subscription"));
            io->use(got.used);
            continue;
        }
        if (io->ended()) co_await failure(unreachable("the sentinel has closed the connection"));
        if (co_await io->reading.until(due) != outbound::wake::late) continue;
        if (!std::exchange(heard, false)) co_await failure(unreachable("the sentinel does not respond"));
        io->send(ping);
        due = interval();
    }
}

std::optional<host_port> read_primary(std::string_view reply) {
    const element head = take_element(reply);
    if (head.what != kind::list || head.count != 2) return std::nullopt;
    const element host = take_element(reply);
    if (host.what != kind::text) return std::nullopt;
    const element port = take_element(reply);
    return port.what == kind::text ? read_host_port(host.text, port.text) : std::nullopt;
}

// The payload is "SERVICE OLD-HOST OLD-PORT HOST PORT". The client asks the sentinels for the address, instead of
// trusting one message.
bool is_switch_of(std::string_view message, std::string_view service) {
    const element head = take_element(message);
    if (head.what != kind::push || head.count != 3) return false;
    const element what = take_element(message);
    if (what.what != kind::text || what.text != "message") return false;
    const element on = take_element(message);
    if (on.what != kind::text || on.text != topic) return false;
    const element payload = take_element(message);
    return payload.what == kind::text && payload.text.starts_with(service) &&
           payload.text.substr(service.size()).starts_with(' ');
}

}  // namespace apus::redis
