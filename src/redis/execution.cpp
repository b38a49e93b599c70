// SPDX-License-Identifier: Apache-2.0
#include "codec/resp/command.hpp"
#include "codec/resp/reply.hpp"
#include "redis/cluster_execution.hpp"
#include "redis/command_span.hpp"
#include "redis/commands.hpp"
#include "redis/failure.hpp"
#include "redis/session.hpp"

#include <algorithm>
#include <utility>

namespace apus::redis::detail {
namespace {

using codec::resp::element;
using codec::resp::kind;
using codec::resp::take_element;

// Returns an error if a command must not be sent on the connection, or is larger than `command_size`.
result<void> check(const session_parts& in, const command_text& what) {
    if (const char* fault = fault_of(what.name(), in.reserved)) return fail(unusable(what.name(), fault));
    if (what.size() > in.state->options.command_size)
        return fail(413, "a value for Redis is too large")
            .cause("over redis::client_options::command_size; command: " + what.name());
    return {};
}

std::uint64_t deadline_of(const session_parts& in, const pool& p) {
    return p.after(in.reserved ? in.timeout : in.state->options.command_timeout);
}

void bind(call& c, const session_parts& in) {
    c.bound = in.own != nullptr;
    c.in = in.own ? in.own->on.get() : nullptr;
}

// Records the keys that a command may change, for the cache of replies.
void note_changes(call& c, const pool& p, const command_text& what) {
    if (!p.caches() || only_reads(what.name())) return;
    const command_keys found = keys_of(what);
    c.changes_all |= found.all;
    c.changes.insert(c.changes.end(), found.keys.begin(), found.keys.end());
}

// Returns the cached reply. Otherwise, if the reply can be cached, sets `key` to the key of the command.
const std::string* find_cached(pool& p, const command_text& what, std::string_view wire, std::string& key) {
    if (!p.caches() || !is_cacheable(what.name()) || what.arguments() < 2) return nullptr;
    std::string_view rest = what.body();
    take_element(rest);
    key = take_element(rest).text;
    return p.cached(wire);
}

// Returns the code of an error reply, such as "NOSCRIPT"; empty for other replies.
std::string_view code_of(std::string_view reply) {
    const element e = take_element(reply);
    return e.what == kind::error ? e.text.substr(0, e.text.find(' ')) : std::string_view();
}

// Replaces EVALSHA and the digest by EVAL and the code. The other arguments stay the same.
std::string with_code(std::string_view evalsha, std::string_view code) {
    const std::size_t arguments = take_element(evalsha).count;
    take_element(evalsha);
    take_element(evalsha);
    std::string wire;
    codec::resp::append_head(wire, arguments);
    codec::resp::append_argument(wire, "EVAL");
    codec::resp::append_argument(wire, code);
    return wire.append(evalsha);
}

bool on_cluster(const session_parts& in) noexcept { return in.state->to.kind == topology::cluster; }

// Sends commands to a node of the cluster, and waits for their replies.
task<routed_replies> send_on_cluster(shared_session in, routed what) {
    const std::uint64_t due = deadline_of(*in, in->here());
    if (in->reserved) return execute_on_reserved(std::move(in), std::move(what), due);
    return execute_on_cluster(in->state, std::move(what), due);
}

routed to_routed(const command_text& what) {
    routed made{.name = what.name(), .wire = {}, .repeatable = only_reads(what.name()), .where = slot_of(what)};
    what.append_to(made.wire);
    return made;
}

struct joined {
    std::string wire;
    std::vector<std::string> names;
    std::vector<routed> each;  // only for a cluster
    command_slot where;        // only for a cluster
    bool hidden = false, only_reads = true;
};

result<joined> join(const session_parts& in, const batch& what) {
    joined made;
    for (const command_text& one : what.commands()) {
        if (auto fine = check(in, one); !fine) return fail(std::move(fine.error()));
        one.append_to(made.wire);
        made.names.push_back(one.name());
        made.hidden |= one.hidden();
        made.only_reads &= only_reads(one.name());
        if (!on_cluster(in)) continue;
        made.each.push_back(to_routed(one));
        add_slot(made.where, made.each.back().where);
    }
    if (made.wire.size() > in.state->options.command_size)
        return fail(413, "a batch for Redis is too large").cause("over redis::client_options::command_size");
    return made;
}

// Splits the reply to EXEC into the replies to the commands.
replies separated(std::string_view items, std::size_t count, joined from) {
    std::vector<std::size_t> ends;
    const std::string_view all = items;
    for (std::size_t i = 0; i < count; ++i) {
        codec::resp::skip_element(items);
        ends.push_back(all.size() - items.size());
    }
    return {std::string(all), std::move(ends), std::move(from.names), from.hidden};
}

// Reads the replies to MULTI, to the commands, and to EXEC. Ends the span of a success, unless `traced` is null.
// Returns nullopt if a watched key has changed.
result<std::optional<replies>> read_transaction(std::string_view left, joined all, command_span* traced) {
    // Redis replies OK to MULTI, QUEUED to each command, and then to EXEC.
    for (std::size_t i = 0; i <= all.names.size(); ++i) {
        const element e = take_element(left);
        codec::resp::skip_elements(left, e.count);
        if (e.what == kind::error)
            return fail(refused(e.text, i == 0 ? "MULTI" : std::string_view(all.names[i - 1]), all.hidden));
    }
    const element done = take_element(left);
    if (done.what == kind::error) return fail(refused(done.text, "EXEC", all.hidden));
    if (done.what == kind::null) {
        if (traced) traced->replied({}, 0);
        return std::optional<replies>();
    }
    if (done.what != kind::list || done.count != all.names.size())
        return fail(unusable("EXEC", "a list with one reply per command was expected"));
    if (traced) traced->replied(left, done.count);
    return std::optional<replies>(separated(left, done.count, std::move(all)));
}

task<replies> execute_batch_on_cluster(shared_session in, joined all) {
    const std::uint64_t due = deadline_of(*in, in->here());
    for (const routed& one : all.each)
        if (one.where.fault) co_await failure(unusable(one.name, one.where.fault));
    std::string bytes;
    std::vector<std::size_t> ends;
    if (in->reserved) {
        routed sent{.name = "batch", .wire = std::move(all.wire), .expected = all.names.size(), .where = all.where};
        sent.operations = all.names.size();
        auto got = co_await execute_on_reserved(in, std::move(sent), due);
        bytes = std::move(got.bytes);
        ends = std::move(got.ends);
    } else {
        for (const std::string& one : co_await execute_each_on_cluster(in->state, std::move(all.each), due)) {
            bytes += one;
            ends.push_back(bytes.size());
        }
    }
    co_return replies(std::move(bytes), std::move(ends), std::move(all.names), all.hidden);
}

}  // namespace

void session_owner::keep(session_parts* p) noexcept { p->users.fetch_add(1, std::memory_order_relaxed); }

void session_owner::let_go(session_parts* p) noexcept {
    if (p->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const auto state = p->state;
    const bool is_client = !p->reserved;
    delete p;
    if (is_client) pool::end_here(*state);
}

task<std::string> execute(shared_session in, command_text what) {
    co_await check(*in, what);
    if (on_cluster(*in)) co_return (co_await send_on_cluster(in, to_routed(what))).bytes;
    std::string wire;
    what.append_to(wire);
    pool& p = in->here();
    std::string cache_key;
    if (const auto* found = in->reserved ? nullptr : find_cached(p, what, wire, cache_key)) co_return *found;
    call c(p, what.name(), std::move(wire), 1, deadline_of(*in, p));
    c.repeatable = only_reads(c.name);
    c.cache_key = std::move(cache_key);
    note_changes(c, p, what);
    bind(c, *in);
    command_span traced(*in->state, c.name);
    co_await c;
    if (error* why = traced.ended(c)) co_await failure(std::move(*why));
    co_return std::move(c.received);
}

task<std::string> evaluate(shared_session in, std::string code, command_text what) {
    std::string wire;
    what.append_to(wire);
    std::string reply = co_await execute(in, what);
    if (code_of(reply) != "NOSCRIPT") co_return std::move(reply);
    wire = with_code(wire, code);
    if (wire.size() > in->state->options.command_size) co_await fail(413, "a script for Redis is too large");
    if (on_cluster(*in))
        co_return (co_await send_on_cluster(in, {.name = "EVAL", .wire = std::move(wire), .where = slot_of(what)}))
            .bytes;
    pool& p = in->here();
    call c(p, "EVAL", std::move(wire), 1, deadline_of(*in, p));
    bind(c, *in);
    note_changes(c, p, what);
    command_span traced(*in->state, c.name);
    co_await c;
    if (error* why = traced.ended(c)) co_await failure(std::move(*why));
    co_return std::move(c.received);
}

task<replies> execute_batch(shared_session in, batch what) {
    joined all = co_await join(*in, what);
    if (all.names.empty()) co_return replies({}, {}, {}, false);
    pool& p = in->here();
    if (on_cluster(*in)) co_return co_await execute_batch_on_cluster(std::move(in), std::move(all));
    call c(p, "batch", std::move(all.wire), all.names.size(), deadline_of(*in, p));
    c.repeatable = all.only_reads;
    bind(c, *in);
    for (const command_text& one : what.commands()) note_changes(c, p, one);
    command_span traced(*in->state, "PIPELINE", all.names.size());
    co_await c;
    if (error* why = traced.ended(c)) co_await failure(std::move(*why));
    co_return replies(std::move(c.received), std::move(c.ends), std::move(all.names), all.hidden);
}

task<std::optional<replies>> execute_atomically(shared_session in, batch what) {
    joined all = co_await join(*in, what);
    std::string wire;
    codec::resp::append_command(wire, {"MULTI"});
    wire += all.wire;
    codec::resp::append_command(wire, {"EXEC"});
    if (on_cluster(*in)) {
        routed sent{.name = "MULTI", .wire = std::move(wire), .expected = all.names.size() + 2, .where = all.where};
        sent.operations = all.names.size();
        const auto got = co_await send_on_cluster(in, std::move(sent));
        co_return co_await read_transaction(got.bytes, std::move(all), nullptr);
    }
    pool& p = in->here();
    call c(p, "MULTI", std::move(wire), all.names.size() + 2, deadline_of(*in, p));
    bind(c, *in);
    for (const command_text& one : what.commands()) note_changes(c, p, one);
    command_span traced(*in->state, c.name, all.names.size());
    co_await c;
    if (c.failed) {
        traced.failed(*c.failed);
        co_await failure(*std::move(c.failed));
    }
    auto read = read_transaction(c.received, std::move(all), &traced);
    if (!read) traced.failed(read.error());
    co_return co_await std::move(read);
}

task<shared_session> reserve(shared_session in) {
    shared_session made(new session_parts{.state = in->state, .reserved = true});
    made->timeout = in->state->options.command_timeout;
    // On a cluster, the first command reserves a connection to the node of its keys.
    if (on_cluster(*in)) co_return std::move(made);
    pool& p = in->here();
    made->own = co_await p.reserve(deadline_of(*in, p));
    co_return std::move(made);
}

task<std::string> execute_detached(std::shared_ptr<const shared_state> state, command_text what) {
    pool& p = pool::of_this_core(state);
    const std::uint64_t due = p.after(state->options.command_timeout);
    routed sent = to_routed(what);
    if (p.nodes()) co_return (co_await execute_on_cluster(state, std::move(sent), due)).bytes;
    call c(p, std::move(sent.name), std::move(sent.wire), 1, due);
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
    co_return std::move(c.received);
}

const session_parts& session_of(const executor& e) noexcept { return *e.in_; }

error unreadable_json(std::string_view key, const error& why) {
    std::string cause("the value is not valid JSON of its type: ");
    return unusable("GET", cause.append(why.detail()).append("; key: ").append(key));
}

error conflict() { return too_busy("a watched key was changed in each attempt of a transaction"); }

}  // namespace apus::redis::detail
