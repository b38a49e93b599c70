// SPDX-License-Identifier: Apache-2.0
#include "redis/cluster_execution.hpp"

#include "codec/resp/command.hpp"
#include "codec/resp/reply.hpp"
#include "redis/command_span.hpp"
#include "redis/failure.hpp"
#include "base/raised_flag.hpp"

#include <apus/sleep.hpp>
#include <apus/when_all.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace apus::redis {
namespace {

constexpr unsigned max_redirections = 8;

/// Counts a command of a cluster, which may use several pools one after the other.
class counted_command {
public:
    explicit counted_command(std::shared_ptr<std::size_t> in) : in_(std::move(in)) { ++*in_; }
    counted_command(const counted_command&) = delete;
    counted_command& operator=(const counted_command&) = delete;
    ~counted_command() { --*in_; }

private:
    std::shared_ptr<std::size_t> in_;
};

pool* pool_of(const shared_state& of) noexcept { return pool::find_of_this_core(of); }
error stopped() { return unreachable("the server stops"); }

/// Pauses between attempts, which double up to 200 ms. Belongs to one command.
struct attempts {
    unsigned made = 0;

    // Waits before the next attempt. Fails with `why` if the deadline passes before.
    task<> pause(error why, std::uint64_t due) {
        constexpr std::uint64_t longest = 200;
        const std::uint64_t now = runtime::loop::current().now();
        const std::uint64_t wait = std::min(longest, std::uint64_t(2) << std::min(made++, 10U));
        if (now + wait >= due) co_await failure(std::move(why));
        co_await sleep_for(milliseconds(static_cast<std::int64_t>(wait)));
    }
};

// Finds an error reply that requires another node or a later attempt. If one reply of a transaction is such an error,
// Redis has executed none of its commands.
cluster_refusal refusal_in(const routed_replies& all, const routed& what, const host_port& from) {
    for (std::size_t i = 0; i < all.ends.size(); ++i) {
        auto found = read_refusal(reply_at(all.bytes, all.ends, i), from);
        if (found.kind == refusal_kind::none) continue;
        const bool redirects = found.kind == refusal_kind::moved || found.kind == refusal_kind::ask;
        if (redirects && found.slot != what.where.slot) found.kind = refusal_kind::invalid, found.other_slot = true;
        return found;
    }
    return {};
}

std::string_view span_name(const routed& what) {
    return what.name == "batch" ? "PIPELINE" : std::string_view(what.name);
}

/// Execution of commands by several attempts.
struct execution {
    const std::shared_ptr<const shared_state> state;
    const routed& what;
    const std::uint64_t due;
    attempts tried = {};
    unsigned redirections = 0;
    std::optional<host_port> ask = {};      // the node that the last ASK has named
    std::optional<host_port> sent_to = {};  // the node of the last attempt; nullopt: any node

    task<pool*> find_node();
    task<std::optional<routed_replies>> try_once();
    task<bool> repeat_after(const cluster_refusal&);
};

// Returns the pool of the node to try next. There is no suspension between the lookup and the return.
task<pool*> execution::find_node() {
    while (true) {
        pool* const any = pool_of(*state);
        if (!any) co_await failure(stopped());
        pool* found = any;
        if (ask) found = any->nodes()->of_node(*std::exchange(ask, std::nullopt));
        else if (what.where.slot) found = any->nodes()->of_slot(*what.where.slot);
        if (found) co_return found;
        any->nodes()->refresh();
        co_await tried.pause(unreachable("no node of the cluster is known to serve the key"), due);
    }
}

// Returns the replies of a node; nullopt if the node could not be reached and another attempt is possible.
task<std::optional<routed_replies>> execution::try_once() {
    const bool asking = ask.has_value();
    pool* const to = co_await find_node();
    sent_to.reset();
    if (const address& of = to->state().to; of.kind == topology::single) sent_to = {.host = of.host, .port = of.port};
    std::string wire;
    if (asking) codec::resp::append_command(wire, {"ASKING"});
    wire += what.wire;
    call c(*to, what.name, std::move(wire), what.expected + (asking ? 1 : 0), due);
    c.repeatable = what.repeatable;
    command_span traced(to->state(), span_name(what), what.operations);
    co_await c;
    static_cast<void>(traced.ended(c));
    pool* const any = pool_of(*state);
    // After a timeout, the node may have failed.
    if (c.failed && any) any->nodes()->refresh();
    if (c.failed && any && c.unreached) {
        co_await tried.pause(*std::move(c.failed), due);
        co_return std::nullopt;
    }
    if (c.failed) co_await failure(*std::move(c.failed));
    if (asking) {
        const std::size_t first = c.ends.front();
        c.received.erase(0, first);
        c.ends.erase(c.ends.begin());
        for (std::size_t& end : c.ends) end -= first;
    }
    co_return routed_replies{std::move(c.received), std::move(c.ends)};
}

// Prepares another attempt. Returns false if the reply must be passed to the caller.
task<bool> execution::repeat_after(const cluster_refusal& why) {
    if (why.other_slot && what.name.contains('.'))
        co_await failure(
            unusable(what.name, "on a cluster, the key of a command of a module must be its first argument"));
    if (why.kind == refusal_kind::invalid) co_await failure(unreachable("Redis has sent an invalid redirection"));
    if (why.kind == refusal_kind::later) {
        const auto paused = co_await tried.pause(unreachable(""), due).outcome();
        if (pool* const any = pool_of(*state)) any->nodes()->refresh();
        co_return paused.has_value();
    }
    if (++redirections > max_redirections)
        co_await failure(unreachable("the nodes of the cluster redirect a command in a circle: " + what.name));
    pool* const any = pool_of(*state);
    if (!any) co_await failure(stopped());
    if (why.kind == refusal_kind::ask) ask = why.to;
    else any->nodes()->moved(why.slot, why.to);
    // Nodes may disagree for a short time.
    if (redirections > 2) co_await tried.pause(unreachable("the nodes of the cluster disagree"), due);
    co_return true;
}

// Returns the node that has replied last, for redirections without a host.
host_port replied(const execution& run) {
    if (run.sent_to) return *run.sent_to;
    pool* const any = pool_of(*run.state);
    return any ? any->server() : host_port();
}

// Executes commands until a node has replied that does not redirect them.
task<routed_replies> execute_until_served(std::shared_ptr<const shared_state> state, const routed& what,
                                          std::uint64_t due) {
    execution run{.state = std::move(state), .what = what, .due = due};
    while (true) {
        auto got = co_await run.try_once();
        if (!got) continue;
        const auto why = refusal_in(*got, what, replied(run));
        if (why.kind == refusal_kind::none || !co_await run.repeat_after(why)) co_return *std::move(got);
    }
}

}  // namespace

task<routed_replies> execute_on_cluster(std::shared_ptr<const shared_state> state, routed what, std::uint64_t due) {
    if (what.where.fault) co_await failure(unusable(what.name, what.where.fault));
    pool& any = pool::of_this_core(state);
    if (*any.nodes()->commands() >= state->options.queue)
        co_await failure(too_busy("over redis::client_options::queue"));
    const counted_command counted(any.nodes()->commands());
    co_return co_await execute_until_served(state, what, due);
}

namespace {

// Sends the commands together, and then repeats the commands that the node has not executed, one after the other.
task<std::vector<std::string>> execute_group(std::shared_ptr<const shared_state> state, std::vector<const routed*> all,
                                             std::uint64_t due) {
    routed together{.name = "batch", .wire = {}, .expected = all.size(), .repeatable = true};
    together.where.slot = all.front()->where.slot;
    together.operations = all.size();
    for (const routed* one : all) {
        together.wire += one->wire;
        together.repeatable &= one->repeatable;
    }
    execution run{.state = state, .what = together, .due = due};
    std::optional<routed_replies> got;
    while (!got) got = co_await run.try_once();
    std::vector<std::string> made;
    for (std::size_t i = 0; i < all.size(); ++i) {
        made.emplace_back(reply_at(got->bytes, got->ends, i));
        if (read_refusal(made.back(), {.host = "0.0.0.0", .port = 1}).kind == refusal_kind::none) continue;
        // Already counted: a full queue must not fail commands in the middle of a batch.
        made.back() = (co_await execute_until_served(state, *all[i], due)).bytes;
    }
    co_return std::move(made);
}

}  // namespace

task<std::vector<std::string>> execute_each_on_cluster(std::shared_ptr<const shared_state> state,
                                                       std::vector<routed> what, std::uint64_t due) {
    pool& any = pool::of_this_core(state);
    if (*any.nodes()->commands() >= state->options.queue)
        co_await failure(too_busy("over redis::client_options::queue"));
    const counted_command counted(any.nodes()->commands());
    // Groups the commands by node. Commands whose node is unknown are grouped by their slot.
    std::map<std::pair<const pool*, std::optional<std::uint16_t>>, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < what.size(); ++i) {
        const auto slot = what[i].where.slot;
        const pool* const at = slot ? any.nodes()->of_slot(*slot) : &any;
        groups[{at, at ? std::nullopt : slot}].push_back(i);
    }
    std::vector<task<std::vector<std::string>>> tasks;
    for (const auto& [at, members] : groups) {
        std::vector<const routed*> all;
        for (const std::size_t i : members) all.push_back(&what[i]);
        tasks.push_back(execute_group(state, std::move(all), due));
    }
    auto done = co_await when_all(std::move(tasks));
    std::vector<std::string> made(what.size());
    auto of_group = done.begin();
    for (const auto& [at, members] : groups) {
        for (std::size_t i = 0; i < members.size(); ++i) made[members[i]] = std::move((*of_group)[i]);
        ++of_group;
    }
    co_return std::move(made);
}

namespace {

// Reserves a connection to the node that serves the keys of the first command.
task<> bind_to_node(detail::session_parts& in, const routed& what, std::uint64_t due) {
    if (!what.where.slot)
        co_await failure(unusable(what.name, "on a cluster, the first command of a reserved connection needs a key"));
    if (in.binding) co_await failure(unusable(what.name, "await the first command of a reserved connection"));
    const base::raised_flag binding(in.binding);
    execution run{.state = in.state, .what = what, .due = due};
    while (true) {
        pool* const to = co_await run.find_node();
        if (pool_of(*in.state)->nodes()->leases() >= in.state->options.reserved)
            co_await failure(too_busy("over redis::client_options::reserved"));
        auto made = co_await to->reserve(due).outcome();
        if (made) {
            in.own = *std::move(made);
            in.slot = what.where.slot;
            ++in.leases;
            co_return;
        }
        if (pool* const any = pool_of(*in.state)) any->nodes()->refresh();
        co_await run.tried.pause(std::move(made.error()), due);
    }
}

}  // namespace

task<routed_replies> execute_on_reserved(detail::shared_session in, routed what, std::uint64_t due) {
    if (what.where.fault) co_await failure(unusable(what.name, what.where.fault));
    execution run{.state = in->state, .what = what, .due = due};
    while (true) {
        if (in->lost) co_await failure(unreachable("the reserved connection was lost"));
        const bool first = !in->own;
        if (first) co_await bind_to_node(*in, what, due);
        if (what.where.slot && what.where.slot != in->slot)
            co_await failure(unusable(what.name,
                                      "on a cluster, all keys of a reserved connection must have the hash "
                                      "slot of the first one: give them a common hash tag"));
        pool* const to = in->own->of;
        if (!to) co_await failure(stopped());
        const host_port from = to->server();
        const std::uint32_t used = in->leases;
        call c(*to, what.name, what.wire, what.expected, due);
        c.bound = true;
        c.in = in->own->on.get();
        command_span traced(to->state(), span_name(what), what.operations);
        co_await c;
        if (error* why = traced.ended(c)) co_await failure(std::move(*why));
        routed_replies got{std::move(c.received), std::move(c.ends)};
        const auto why = refusal_in(got, what, from);
        if (why.kind == refusal_kind::none || why.kind == refusal_kind::later) co_return std::move(got);
        // The connection belongs to a node that no longer serves the keys: watched keys are forgotten.
        // A caller that does not await the failure before its next command must not use another connection, on which
        // nothing is watched. Commands that were refused together must not release the next connection.
        in->lost |= !first;
        if (in->leases == used) {
            in->own.reset();
            in->slot.reset();
        }
        const bool again = co_await run.repeat_after(why);
        run.ask.reset();
        if (!first || !again || why.kind == refusal_kind::ask)
            co_await failure(too_busy("the keys of a reserved connection are moving to another node of the cluster"));
    }
}

}  // namespace apus::redis
