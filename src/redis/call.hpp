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

/// Commands that are sent together, from the call to their replies.
/// Lives in the frame of the task that waits for it. If it is destroyed before, the replies are ignored. Used by one
/// core only.
class call final : public runtime::timed_wait {
public:
    /// `expected`: number of replies, at least 1. `name`: for messages.
    call(pool& of, std::string name, std::string wire, std::size_t expected, std::uint64_t deadline);
    ~call();

    void await_suspend(std::coroutine_handle<>);

    const std::string name;
    const std::string wire;
    const std::size_t expected;
    const std::uint64_t deadline;  ///< In milliseconds of the loop's clock.
    bool repeatable = false;       ///< It only reads, so it may be sent again.
    /// The connection that executes it. Before `co_await`: the connection that must execute it.
    connection* in = nullptr;
    bool bound = false;  ///< Only `in` may execute it.

    // Result: the replies, or an error.
    std::string received;
    std::vector<std::size_t> ends;  ///< End of each reply in `received`.
    std::optional<error> failed;

    void finish() noexcept;  ///< Resumes the task after the core has handled the current event.

    // Used by the pool and the connection.
    std::uint64_t ticket = 0;   ///< Position among all calls of the connection.
    std::uint64_t sent_at = 0;  ///< In milliseconds.
    bool repeated = false;
    bool counted = false;  ///< In the pool's count of calls.
    std::optional<std::list<call*>::iterator> waits;

private:
    pool& pool_;  // may be destroyed after this call is finished
};

}  // namespace apus::redis
