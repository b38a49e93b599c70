// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nats/session.hpp"
#include "nats/shared_state.hpp"

#include <apus/nats.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace apus::nats::detail {

/// State of a client.
struct client_parts {
    std::atomic<std::size_t> users = 1;  // reference count
    std::shared_ptr<const shared_state> state;

    session& here() const { return session::of_this_core(state); }
};

/// Sends a request, and waits for the response.
/// `timeout` 0: that of the client. `headers`: block of headers, or empty.
task<message> send_request(shared_client in, std::string subject, std::string payload, std::string headers,
                           duration timeout);

/// Returns a block of headers, or an error 400.
result<std::string> to_block(const std::vector<header>&);
/// Returns an error 400 unless messages can be published to the subject.
result<void> check_subject(std::string_view subject);

}  // namespace apus::nats::detail
