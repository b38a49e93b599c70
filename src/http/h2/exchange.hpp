// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/priority.hpp"
#include "codec/http2/frame.hpp"
#include "http/served_exchange.hpp"
#include "http/h2/request_fields.hpp"
#include "runtime/file.hpp"
#include "runtime/loop.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::http::h2 {

/// An exchange on an HTTP/2 stream. Exists while the stream is open on either side.
struct h2_exchange : served_exchange {
    std::uint32_t stream = 0;
    h2_exchange* next = nullptr;   // in the list of the connection
    h2_exchange** link = nullptr;  // the pointer to this in the list
    request_fields fields;

    // The body of the request: bytes not yet read by the handler, and bytes that the handler is using.
    std::string arrived, lent;
    std::uint64_t window = 0;       // start of the rate window, in milliseconds of the loop; 0: none
    std::uint32_t in = 0, out = 0;  // bytes of the request body and of the response body in this rate window
    std::uint32_t received = 0;     // used bytes of the stream's flow-control window
    std::uint32_t consumed = 0;     // bytes of `received` that the next WINDOW_UPDATE returns

    // Bytes of the response that are not in frames yet. They are sent in the order of these members.
    std::string_view rest;  // of a whole body
    std::string unframed;   // of a streamed body
    std::size_t unframed_at = 0;
    runtime::file_ref file;
    std::uint64_t file_at = 0, file_left = 0;
    // client's flow-control window, in bytes; negative after SETTINGS reduced it
    std::int32_t send_window = 0;
    codec::fields::priority order;         // priority of the response
    h2_exchange* send_next = nullptr;      // in the send queue
    h2_exchange* send_previous = nullptr;  // null for the first
    bool queued = false;                   // in the send queue
    bool sends_body = false;               // the head of the response is written, but not the end of its body
    bool client_done = false;              // END_STREAM was received
    bool sized = false;                    // the size of the request body must be equal to content-length
    bool ended = false;                    // the last frame of the response is written
    bool doomed = false;                   // the stream was reset; released by the next flush
    bool has_unsent_data = false;          // body bytes wait to be sent
    bool judged_body = false;              // the server waited for bytes of the body when the rate window began
    bool reset_early = false;              // the stream was reset before the response
    bool judged_response = false;  // when the rate window began: unsent bytes, or response complete but request not

    // Memory.
    std::size_t held = 0;             // bytes of memory without this object, when last updated
    std::size_t deferred_window = 0;  // window bytes whose WINDOW_UPDATE is deferred
    bool postponed = false;           // the handler runs after other responses have been sent

    /// Returns the bytes of memory in use, without this object.
    std::size_t memory() noexcept {
        return exchange::memory() + arrived.capacity() + lent.capacity() + unframed.capacity() + fields.memory();
    }

    std::size_t waiting() const noexcept {
        return rest.size() + unframed.size() - unframed_at + static_cast<std::size_t>(file_left);
    }

    /// Resets to the initial state; keeps some memory.
    void reset() noexcept;
};

}  // namespace apus::http::h2
