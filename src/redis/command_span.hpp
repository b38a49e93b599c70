// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/call.hpp"
#include "redis/redis_counts.hpp"
#include "redis/shared_state.hpp"
#include "tracing/trace.hpp"

#include <apus/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace apus::redis {

/// Counts a command, a pipeline or a transaction, and records its span.
/// Both last from the constructor to the end. The span contains the names of commands, but no keys and values; there is
/// none if the current trace is not recorded. If neither `replied` nor `failed` is called, the command counts as
/// cancelled.
class command_span {
public:
    /// `name`: of the command, or MULTI or PIPELINE for `commands` commands.
    command_span(const shared_state& of, std::string_view name, std::size_t commands = 1) noexcept {
        begin_count(of);
        if (tracing::recorder::here()) [[unlikely]]
            begin(of, name, commands);
    }
    command_span(const command_span&) = delete;
    command_span& operator=(const command_span&) = delete;
    ~command_span() {
        count(commands_cancelled);
        if (of_) end("cancelled", {});
    }

    /// Ends the span. `replies`: `count` replies, of which the first error reply makes the span fail.
    void replied(std::string_view replies, std::size_t count = 1) noexcept {
        if (of_ || count != 1) end_by_replies(replies, count);
        else count_reply(replies);
    }
    void failed(const error&) noexcept;  ///< Ends the span of a command that has no reply.
    /// Ends the span of a call that has ended. Returns the call's error, or null if it has replies.
    error* ended(call& c) noexcept {
        if (c.failed) failed(*c.failed);
        else replied(c.received, c.expected);
        return c.failed ? &*c.failed : nullptr;
    }

private:
    void begin_count(const shared_state&) noexcept;
    void count(command_cell) noexcept;
    void count_reply(std::string_view reply) noexcept;
    void begin(const shared_state&, std::string_view name, std::size_t commands) noexcept;
    void end_by_replies(std::string_view replies, std::size_t count) noexcept;
    void end(std::string_view error_type, std::string_view code) noexcept;

    tracing::open_span* of_ = nullptr;
    runtime::instrument_group* counts_ = nullptr;  // null if the command has ended
    std::uint64_t begun_ = 0;                      // in nanoseconds
};

}  // namespace apus::redis
