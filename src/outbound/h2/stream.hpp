// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/received.hpp"

#include <apus/error.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apus::outbound::h2 {

/// A request and its response in a `session`. Owned by the caller of the session.
class stream {
public:
    /// `into` receives the head, and must outlive the stream.
    explicit stream(received& into) noexcept : to(&into) {}
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;

    virtual void on_event() noexcept = 0;  ///< The response has progressed, or the stream has failed.
    virtual void on_room() noexcept = 0;   ///< Few bytes of the request body are unsent.

    // State of the response.
    received* to;
    received* trailers = nullptr;  ///< Receives the trailer fields. Null: they are not stored.
    bool has_head = false;         ///< The final head has arrived.
    bool continues = false;        ///< A 100 (Continue) response has arrived.
    bool has_body = false;         ///< A body follows the head, possibly an empty one.
    bool ended = false;            ///< The whole response has arrived.
    bool begun = false;            ///< A frame of the response has arrived.
    bool unprocessed = false;  ///< The server did not process the request (RFC 9113, 8.7). Set together with `failure`.
    bool refuses_body = false;     ///< After its whole response, the server has stopped reading the request.
    std::optional<error> failure;  ///< Set once; bytes that arrived before the failure can still be taken.

    bool lost = false;  ///< The connection ended before the response. Set together with `failure`.

    bool has_unread() const noexcept { return !body_.empty(); }                ///< `session::take` returns bytes.
    std::size_t unsent() const noexcept { return out_.size() - sent_bytes_; }  ///< Bytes of the request body.
    bool sent() const noexcept { return sent_; }                               ///< The whole request was sent.
    std::uint64_t body_left() const noexcept { return length_ > body_bytes_ ? length_ - body_bytes_ : 0; }

protected:
    ~stream() = default;

private:
    friend class session;

    std::string body_;            // received, but not taken
    std::string out_;             // request body
    std::size_t sent_bytes_ = 0;  // bytes at the beginning of `out_` that were sent
    std::uint64_t length_ = 0;    // Content-Length, if `sized_`
    std::uint64_t body_bytes_ = 0;
    std::uint32_t id_ = 0;        // 0: not opened
    std::uint32_t received_ = 0;  // bytes of the client's window used by the server
    std::uint32_t returned_ = 0;  // bytes of `received_` that the next WINDOW_UPDATE returns
    std::int64_t window_ = 0;     // server's window for this stream
    unsigned interim_ = 0;
    bool sized_ = false;
    bool bodiless_ = false;  // the response has no body: HEAD, 204 or 304
    bool to_head_ = false;   // the request is a HEAD
    bool out_ends_ = false;  // the request body is complete
    bool sent_ = false;
    bool listed_ = false;  // an open stream of the session
    bool queued_ = false;  // in the queue of streams that may send
    bool event_due_ = false, room_due_ = false;
    bool wants_room_ = false;
};

}  // namespace apus::outbound::h2
