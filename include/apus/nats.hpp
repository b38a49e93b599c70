// SPDX-License-Identifier: Apache-2.0
#pragma once

// NATS 2: publish and subscribe, requests and responses, and JetStream streams. Guide: docs/nats.md.

#include <apus/detail/owned_parts.hpp>
#include <apus/detail/shared.hpp>
#include <apus/error.hpp>
#include <apus/nats/options.hpp>
#include <apus/result.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::nats {

namespace detail {

struct client_parts;
struct subscription_parts;

struct client_owner {
    static void keep(client_parts*) noexcept;
    static void let_go(client_parts*) noexcept;
};
using shared_client = apus::detail::shared<client_owner, client_parts>;

}  // namespace detail

/// A header of a message. Names are case-sensitive.
struct header {
    std::string name, value;
};

/// A message of a subscription, a response, or a gap between messages.
/// Other programs choose its bytes: `subject` and `reply` may contain control characters.
struct message {
    std::string subject = {};  ///< Empty for a gap.
    std::string reply = {};    ///< Subject for a response. Empty: the sender expects none.
    std::string payload = {};
    std::vector<header> headers = {};
    /// Whether earlier messages may be missing: read the current state.
    /// The first value of each subscription is a gap. Another gap follows after a lost connection, and after messages
    /// were dropped because more than `client_options::messages` were unread.
    bool gap = false;

    /// Returns the value of the first header with this name; nullopt if it is missing.
    std::optional<std::string_view> header_value(std::string_view name) const noexcept;
};

/// Options of `publish`.
struct publish_options {
    std::vector<header> headers = {};
    std::string reply = {};  ///< Subject for responses. Empty: none.
};

/// Options of `request`.
struct request_options {
    std::vector<header> headers = {};
    duration timeout = {};  ///< Maximum time until the response. 0: `client_options::timeout`.
};

/// Options of `publish_to_stream`.
struct stream_options {
    /// Message id (`Nats-Msg-Id`).
    /// The stream ignores a message whose id it has stored within its duplicate window. Empty: none.
    std::string id = {};
    std::string stream = {};  ///< Expected name of the stream, otherwise the message is refused. Empty: any.
    std::vector<header> headers = {};
    duration timeout = {};  ///< Maximum time until the acknowledgement. 0: `client_options::timeout`.
};

/// Acknowledgement of a stream: the message is stored.
struct stream_ack {
    std::string stream;          ///< Name of the stream.
    std::uint64_t sequence = 0;  ///< Number of the message in the stream.
    bool duplicate = false;      ///< Whether a message with this id was already stored.
};

/// Reason why the server has refused a request or a message for a stream.
struct request_failure {
    int status =
        0;  ///< 503: no subscriber (`request`), or no stream (`publish_to_stream`). Else the status of JetStream.
    int code = 0;  ///< `err_code` of JetStream, such as 10060 for an unexpected stream; 0: none.
};

/// Returns the refusal that caused this error; null for other errors.
/// Lost connections are other errors. The pointer is valid while the error or a copy of the error exists.
const request_failure* failure_of(const error& why) noexcept;
/// Returns the refusal of a result of `.outcome()`.
/// Null if the result has a value or another error.
template <class T>
const request_failure* failure_of(const result<T>& of) noexcept {
    return of ? nullptr : failure_of(of.error());
}

/// Messages of a subject. Returned by `client::subscribe`.
/// Belongs to the core of its first `next`. The destructor unsubscribes.
class subscription {
public:
    explicit subscription(apus::detail::owned_parts<detail::subscription_parts>);  ///< Used by the library.

    /// Waits for a message or a gap, without a time limit: `co_await`. At most one call at a time.
    /// The first call subscribes and returns a gap when the server has confirmed; messages that are published later are
    /// received. Errors before the first gap: 503 if NATS is unreachable for `client_options::connect_timeout`, and 500
    /// if the server refuses the subscription. Afterwards, the client reconnects after a lost connection, and `next`
    /// returns a gap. Returns nullopt when the core stops. If the task is destroyed, no message is lost.
    task<std::optional<message>> next();

private:
    apus::detail::owned_parts<detail::subscription_parts> parts_;
};

/// Client of a NATS server or cluster.
/// Copies share connections. Any core may use a copy; each core opens its own connection on first use, and again after
/// it was lost. Create one client per app or per program. The connection of a core is closed when the core stops, or
/// when the last copy is destroyed on that core.
///
/// Arguments are copied before a function returns. The result is a task: `co_await` it. Messages of a core are sent in
/// the order of the awaits.
///
/// Errors:
/// - 400: invalid subject or header. A subject has no spaces, control characters or empty tokens, and at most 1,024
///   bytes; only `subscribe` accepts wildcards. So text from users cannot inject operations.
/// - 413: the message is larger than `max_payload` of the server.
/// - 503 with Retry-After: no connection can be established, the connection is lost before the response, or too many
///   messages wait.
/// - 504: no response in time.
class client {
public:
    /// `nats://user:password@host:4222`, `nats://token@host`, or `tls://...` for TLS.
    /// `nats://host1,host2` has up to 32 servers of a cluster, which are tried in turn. User, password, token and port
    /// are optional. Percent-encode special characters. With TLS, the certificate of the server must match the host;
    /// `nats` never uses TLS, and `tls` never goes without. Throws `std::invalid_argument` for an invalid URL, and
    /// `std::runtime_error` for a certificate or key file that cannot be used.
    explicit client(std::string_view url, const client_options& = {});

    /// Sends a message to the current subscribers of a subject.
    /// Waits only for a connection and for room in its output, not for a response: if the connection is lost, the
    /// message may be lost without an error. Use `flush`, or `publish_to_stream` for messages that must arrive.
    task<> publish(std::string_view subject, std::string_view payload, const publish_options& = {}) const;

    /// Waits until the server has received all messages that this core has published before.
    task<> flush() const;

    /// Sends a request to the subscribers of a subject, and waits for the first response.
    /// Without a subscriber: 503 with Retry-After at once, see `failure_of`. The request is not repeated.
    task<message> request(std::string_view subject, std::string_view payload, const request_options& = {}) const;

    /// Returns the messages of a subject: see `subscription`.
    /// `subject` may contain the wildcards `*` (one token) and `>` (all further tokens). Of the subscriptions with the
    /// same `queue`, in all processes, only one gets each message. `next` fails with 400 for an invalid name.
    subscription subscribe(std::string_view subject, std::string_view queue = {}) const;

    /// Publishes a message to the JetStream stream of a subject, and waits until it is stored.
    /// With an id, the call can be repeated after an error: the message is stored once, see `stream_options::id`. If
    /// the stream refuses the message, or if there is none: see `failure_of`; the status of the error is 503 with
    /// Retry-After if a later attempt may succeed, otherwise 500.
    task<stream_ack> publish_to_stream(std::string_view subject, std::string_view payload,
                                       const stream_options& = {}) const;

private:
    detail::shared_client in_;
};

}  // namespace apus::nats
