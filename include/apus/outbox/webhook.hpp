// SPDX-License-Identifier: Apache-2.0
#pragma once

// A destination of the outbox that sends events as HTTP requests.

#include <apus/client.hpp>
#include <apus/outbox.hpp>

#include <string>
#include <utility>
#include <vector>

namespace apus {

/// Receiver of a webhook.
struct webhook_options {
    std::string url;  ///< "https://billing.example/events".
    /// Further fields of each request, such as Authorization. Not fields that the webhook sets itself.
    std::vector<std::pair<std::string, std::string>> headers = {};
    /// Secret that signs requests (HMAC-SHA256): `whsec_` and the key in base64 (Standard Webhooks).
    /// A text without `whsec_` is the key itself. The key has at least 24 bytes. Empty: no signature.
    std::string signing_secret = {};
};

/// Sends each event as a POST, for `outbox::deliver`.
/// The body is the JSON of the event. Fields: `Idempotency-Key` with the quoted id, `Event-Type`, `Event-Key` (percent-
/// encoded; missing without a key), and with `signing_secret` the fields `webhook-id`, `webhook-timestamp` and
/// `webhook-signature` of the Standard Webhooks specification.
///
/// A status of 2xx completes the delivery, even if the body of the response is incomplete. 410 makes the event a dead
/// letter without further attempts. All other statuses, redirects and errors fail the attempt. The next attempt starts
/// no earlier than Retry-After requests, within `max_retry_delay`.
class webhook {
public:
    /// `http`: client of the same core; use `client::allow` for URLs from users.
    /// Throws `std::invalid_argument` for invalid fields, for fields that the webhook sets itself, and for a secret
    /// that is short or not base64.
    explicit webhook(webhook_options, client http = client());

    task<> operator()(const outbox_event&, jobs::context&) const;  ///< Used by the outbox.

private:
    client_request request_for(const outbox_event&) const;

    webhook_options how_;
    client http_;
};

}  // namespace apus
