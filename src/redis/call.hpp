// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/timed_wait.hpp"

#include <apus/error.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::redis {

/// Returns the reply number `i` of replies that follow each other.
/// `ends`: end of each reply in `all`.
inline std::string_view reply_at(std::string_view all, const std::vector<std::size_t>& ends, std::size_t i) noexcept {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return all.substr(begin, ends[i] - begin);
}

class connection;
class pool;

/// One or more commands that are sent together, and their replies.
/// Lives in the coroutine frame of the task that waits for the replies. If the call is destroyed before the replies
/// arrive, the replies are ignored. Used by one core only.
class call final : public runtime::timed_wait {
public:
    /// `expected`: number of replies, at least 1. `name`: name of the command in error messages.
    call(pool& of, std::string name, std::string wire, std::size_t expected, std::uint64_t deadline);
    ~call();

    void await_suspend(std::coroutine_handle<>);

    const std::string name;
    const std::string wire;
    const std::size_t expected;
    const std::uint64_t deadline;      ///< In milliseconds of the loop's clock.
    bool repeatable = false;           ///< Whether all commands only read, so that they may be sent again.
    std::string cache_key;             ///< If the reply may be cached: the key of the command, otherwise empty.
    bool changes_all = false;          ///< Whether the commands may change keys that are not in `changes`.
    std::vector<std::string> changes;  ///< Keys that the commands may change; empty unless replies are cached.
    /// The connection on which the commands are in flight.
    /// For a `bound` call, also set before `co_await`.
    connection* in = nullptr;
    bool bound = false;  ///< Whether the commands must be sent on the connection `in`.

    // Result: the replies, or an error.
    std::string received;
    std::vector<std::size_t> ends;  ///< End of each reply in `received`.
    std::optional<error> failed;
    bool unreached = false;  ///< Whether the call has failed while it waited for a connection.

    void finish() noexcept;  ///< Resumes the task after the core has handled the current event.

    // Used by the pool and the connection.
    std::uint64_t ticket = 0;   ///< Position among all calls of the connection.
    std::uint64_t sent_at = 0;  ///< In milliseconds.
    bool repeated = false;
    bool counted = false;  ///< Whether the pool's number of calls includes this call.
    std::optional<std::list<call*>::iterator> waits;

private:
    pool& pool_;  // not used after this call is finished, since the pool may then be destroyed
};

}  // namespace apus::redis
