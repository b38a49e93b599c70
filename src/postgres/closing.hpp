// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <libpq-fe.h>

namespace apus::postgres {

using pgconn_ptr = std::shared_ptr<PGconn>;
using cancel_ptr = std::shared_ptr<PGcancel>;

/// Closes a connection whose server may still execute an abandoned statement.
/// The server notices a disconnected client only when it writes to the client. So a separate thread sends cancel
/// requests until the server closes the connection or some seconds have passed. Any thread may call this function.
void close_and_stop(pgconn_ptr, cancel_ptr) noexcept;

/// Waits up to a second until the cancel requests are sent. Called when a core ends.
void wait_for_closing() noexcept;

}  // namespace apus::postgres
