// SPDX-License-Identifier: Apache-2.0
#include "codec/resp/command.hpp"
#include "codec/resp/reply.hpp"
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
    if (const char* fault = fault_of(what.name(), in.own != nullptr)) return fail(unusable(what.name(), fault));
    if (what.size() > in.state->options.command_size)
        return fail(413, "a value for Redis is too large")
            .cause("over redis::client_options::command_size; command: " + what.name());
    return {};
}

std::uint64_t deadline_of(const session_parts& in, const pool& p) {
    return p.after(in.own ? in.own->timeout : in.state->options.command_timeout);
}

void bind(call& c, const session_parts& in) {
    c.bound = in.own != nullptr;
    c.in = in.own ? in.own->on.get() : nullptr;
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

struct joined {
    std::string wire;
    std::vector<std::string> names;
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

}  // namespace

void session_owner::keep(session_parts* p) noexcept { p->users.fetch_add(1, std::memory_order_relaxed); }

void session_owner::let_go(session_parts* p) noexcept {
    if (p->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const auto state = p->state;
    const bool is_client = p->own == nullptr;
    delete p;
    if (is_client) pool::end_here(*state);
}

task<std::string> execute(shared_session in, command_text what) {
    co_await check(*in, what);
    std::string wire;
    what.append_to(wire);
    pool& p = in->here();
    call c(p, what.name(), std::move(wire), 1, deadline_of(*in, p));
    c.repeatable = only_reads(c.name);
    bind(c, *in);
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
    co_return std::move(c.received);
}

task<std::string> evaluate(shared_session in, std::string code, command_text what) {
    std::string wire;
    what.append_to(wire);
    std::string reply = co_await execute(in, what);
    if (code_of(reply) != "NOSCRIPT") co_return std::move(reply);
    wire = with_code(wire, code);
    if (wire.size() > in->state->options.command_size) co_await fail(413, "a script for Redis is too large");
    pool& p = in->here();
    call c(p, "EVAL", std::move(wire), 1, deadline_of(*in, p));
    bind(c, *in);
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
    co_return std::move(c.received);
}

task<replies> execute_batch(shared_session in, batch what) {
    joined all = co_await join(*in, what);
    if (all.names.empty()) co_return replies({}, {}, {}, false);
    pool& p = in->here();
    call c(p, "batch", std::move(all.wire), all.names.size(), deadline_of(*in, p));
    c.repeatable = all.only_reads;
    bind(c, *in);
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
    co_return replies(std::move(c.received), std::move(c.ends), std::move(all.names), all.hidden);
}

task<std::optional<replies>> execute_atomically(shared_session in, batch what) {
    joined all = co_await join(*in, what);
    std::string wire;
    codec::resp::append_command(wire, {"MULTI"});
    wire += all.wire;
    codec::resp::append_command(wire, {"EXEC"});
    pool& p = in->here();
    call c(p, "MULTI", std::move(wire), all.names.size() + 2, deadline_of(*in, p));
    bind(c, *in);
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
    // Redis replies OK to MULTI, QUEUED to each command, and then to EXEC.
    std::string_view left = c.received;
    for (std::size_t i = 0; i <= all.names.size(); ++i) {
        const element e = take_element(left);
        for (std::size_t n = 0; n < e.count; ++n) codec::resp::skip_element(left);
        if (e.what == kind::error)
            co_await failure(refused(e.text, i == 0 ? "MULTI" : std::string_view(all.names[i - 1]), all.hidden));
    }
    const element done = take_element(left);
    if (done.what == kind::error) co_await failure(refused(done.text, "EXEC", all.hidden));
    if (done.what == kind::null) co_return std::nullopt;
    if (done.what != kind::list || done.count != all.names.size())
        co_await failure(unusable("EXEC", "a list with one reply per command was expected"));
    co_return separated(left, done.count, std::move(all));
}

task<shared_session> reserve(shared_session in) {
    pool& p = in->here();
    auto made = co_await p.reserve(deadline_of(*in, p));
    co_return shared_session(new session_parts{.state = in->state, .own = std::move(made)});
}

const session_parts& session_of(const executor& e) noexcept { return *e.in_; }

error unreadable_json(std::string_view key, const error& why) {
    std::string cause("the value is not valid JSON of its type: ");
    return unusable("GET", cause.append(why.detail()).append("; key: ").append(key));
}

error conflict() { return too_busy("a watched key was changed in each attempt of a transaction"); }

}  // namespace apus::redis::detail
