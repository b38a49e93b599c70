// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/timed_wait.hpp"

#include <apus/error.hpp>
#include <apus/nats.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>

namespace apus::nats {

class session;

/// A message as it is sent.
struct outgoing {
    std::string wire;
    std::size_t size = 0;  ///< Bytes of the payload and the headers.
    bool has_headers = false;
};

/// A message that waits for a connection, a request that waits for its response, or a flush.
/// Lives in the coroutine frame of the task that waits. If it is destroyed before, a response is ignored. Used by one
/// core only.
class call final : public runtime::timed_wait {
public:
    /// `inbox`: number of a request's inbox; 0: no response is awaited. An empty message is a flush.
    call(session& of, outgoing what, std::uint64_t inbox, std::uint64_t deadline);
    ~call();

    void await_suspend(std::coroutine_handle<>);

    const outgoing what;
    const std::uint64_t inbox;
    const std::uint64_t deadline;  ///< In milliseconds of the loop's clock.

    // Result: the response of a request, or an error.
    message response;
    std::optional<error> failed;

    void finish() noexcept;  ///< Resumes the task after the core has handled the current event.

    // Used by the session.
    bool awaits_pong = false;                         ///< Whether the session expects the PONG of this flush.
    bool counted = false;                             ///< Whether the session's number of calls includes this call.
    std::optional<std::list<call*>::iterator> waits;  ///< Set while the call waits for a connection.

private:
    session& session_;  // not used after this call is finished, since the session may then be destroyed
};

}  // namespace apus::nats
