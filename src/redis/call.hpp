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
#include <vector>

namespace apus::redis {

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
    const std::uint64_t deadline;  ///< In milliseconds of the loop's clock.
    bool repeatable = false;       ///< Whether all commands only read, so that they may be sent again.
    /// The connection on which the commands are in flight.
    /// For a `bound` call, also set before `co_await`.
    connection* in = nullptr;
    bool bound = false;  ///< Whether the commands must be sent on the connection `in`.

    // Result: the replies, or an error.
    std::string received;
    std::vector<std::size_t> ends;  ///< End of each reply in `received`.
    std::optional<error> failed;

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
