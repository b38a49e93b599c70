// SPDX-License-Identifier: Apache-2.0
#include "redis/command_span.hpp"

#include "base/ascii.hpp"
#include "codec/resp/reply.hpp"
#include "http/request_trace.hpp"
#include "runtime/loop.hpp"

#include <apus/redis/failure.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace apus::redis {
namespace {

// Returns the name of a command in upper case. Other texts are not recorded, since they may contain values.
std::string operation_of(std::string_view name) {
    constexpr std::size_t longest = 32;
    const auto is_part = [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '.' || c == '_'; };
    if (name.empty() || name.size() > longest || !std::ranges::all_of(name, is_part)) return "_OTHER";
    std::string made(name);
    std::ranges::transform(made, made.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return made;
}

// Returns the code of the first error reply, such as "WRONGTYPE"; empty if there is none. Elements of lists are not
// replies to commands, except in the reply to EXEC.
std::string_view first_error(std::string_view replies, std::size_t count) {
    using codec::resp::kind;
    for (; count != 0 && !replies.empty(); --count) {
        std::string_view rest = replies;
        codec::resp::skip_element(rest);
        const auto head = codec::resp::take_element(replies);
        if (head.what == kind::error) return head.text.substr(0, head.text.find(' '));
        replies = rest;
    }
    return {};
}

}  // namespace

void command_span::begin_count(const shared_state& of) noexcept {
    auto& loop = runtime::loop::current();
    try {
        counts_ = &loop.instruments().of(command_counts, {of.name});
    } catch (const std::bad_alloc&) {
        return;
    }
    counts_->add(commands_in_flight);
    begun_ = loop.io().clock().nanoseconds();
}

void command_span::count(command_cell how) noexcept {
    auto* const to = std::exchange(counts_, nullptr);
    if (!to || !runtime::loop::exists()) return;
    to->add(how);
    to->subtract(commands_in_flight);
    to->observe(command_durations, runtime::loop::current().io().clock().nanoseconds() - begun_);
}

// A script whose text Redis does not know is sent again with its text.
void command_span::count_reply(std::string_view reply) noexcept {
    const bool is_error = reply.starts_with('-') || reply.starts_with('!');
    count(is_error && !reply.starts_with("-NOSCRIPT") ? commands_failed : commands_succeeded);
}

// The names of span and attributes follow OpenTelemetry's semantic conventions for Redis.
void command_span::begin(const shared_state& of, std::string_view name, std::size_t commands) noexcept {
    try {
        tracing::trace* const in = http::recorded_trace(http::exchange_here());
        if (!in) return;
        const std::string operation = operation_of(name);
        of_ = new tracing::open_span(*in, operation, tracing::span_kind::client, in->innermost(),
                                     tracing::open_span::nesting::leaf);
        auto& to = of_->data.attributes;
        to.add({"db.system.name", "redis"});
        to.add({"db.operation.name", operation});
        to.add({"db.namespace", std::to_string(of.to.database)});
        if (commands > 1) to.add({"db.operation.batch.size", commands});
        if (of.to.kind != topology::single) return;  // the URL does not name the server of this command
        to.add({"server.address", of.to.host.empty() ? of.to.path : of.to.host});
        if (!of.to.host.empty()) to.add({"server.port", of.to.port});
    } catch (const std::exception&) {
        return;  // out of memory
    }
}

void command_span::end_by_replies(std::string_view replies, std::size_t count) noexcept {
    const std::string_view code = first_error(replies, count);
    this->count(code.empty() || code == "NOSCRIPT" ? commands_succeeded : commands_failed);
    if (!of_) return;
    // After this reply, the caller sends the script with its text.
    end(code == "NOSCRIPT" ? std::string_view() : code, code);
}

void command_span::failed(const error& why) noexcept {
    const auto* const refused = failure_of(why);
    if (why.status() == 504) count(commands_late);
    else count(why.status() == 503 && !refused ? commands_unreachable : commands_failed);
    if (!of_) return;
    if (refused) end(refused->code, refused->code);
    else end(why.status() == 504 ? "timeout" : why.status() == 503 ? "unreachable" : "_OTHER", {});
}

// The span does not contain the text of an error reply, which can repeat arguments.
void command_span::end(std::string_view error_type, std::string_view code) noexcept {
    auto* const ended = std::exchange(of_, nullptr);
    ended->data.failed = !error_type.empty();
    try {
        if (!error_type.empty()) ended->data.attributes.add({"error.type", error_type});
        if (!code.empty()) ended->data.attributes.add({"db.response.status_code", code});
    } catch (const std::exception&) {
        ended->data.failed = true;  // out of memory; the span is incomplete
    }
    ended->end();
}

}  // namespace apus::redis
