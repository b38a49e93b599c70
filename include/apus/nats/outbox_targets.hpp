// SPDX-License-Identifier: Apache-2.0
#pragma once

// Destinations of the outbox (outbox.hpp) on NATS.

#include <apus/nats.hpp>
#include <apus/outbox.hpp>

#include <string>

namespace apus::nats {

/// Publishes each event to a JetStream stream, for `outbox::deliver`.
/// The payload is the JSON of the event. Headers: `Nats-Msg-Id` (the id of the event), `Event-Type`, and `Event-Key`
/// (percent-encoded) if the event has a key. The event is delivered when the stream has acknowledged it. If an
/// acknowledgement is lost, the message is sent again, and the stream drops it within its duplicate window; later,
/// consumers drop messages whose id they have processed.
class stream_target {
public:
    /// `stream`: expected name of the stream, see `stream_options`. Empty: any stream of the subject.
    /// Throws `std::invalid_argument` for an invalid subject or name.
    stream_target(client bus, std::string subject, std::string stream = {});

    task<> operator()(const outbox_event&) const;  ///< Used by the outbox.

private:
    client bus_;
    std::string subject_, stream_;
};

}  // namespace apus::nats
