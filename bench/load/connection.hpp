// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "answer_reader.hpp"
#include "request_texts.hpp"
#include "websocket.hpp"

namespace load {

/// A slot in the table of connections, used by one socket after another.
struct connection {
    enum class is : std::uint8_t {
        closed,
        connecting,
        shaking_hands,  // handshake of a WebSocket in progress
        open,
        ending,   // receives and discards input until the socket's receive operation has ended
        pausing,  // failed to connect; waits before the next attempt
        dead,     // failed too often; not opened again
    };

    std::uint32_t slot = 0;
    is state = is::closed;
    bool parked = false;         // open; waits until all other connections are open
    bool announced = false;      // the server announced that it will close
    bool receives_once = false;  // uses `receive_once` instead of `receive`, since bodies are large
    bool joined = false;         // broadcast: takes part in this round
    int descriptor = -1;
    unsigned failures = 0;  // consecutive failures to connect
    unsigned served = 0;    // number of responses on this socket
    unsigned answered = 0;  // number of responses to the current batch; broadcast: number of messages in this round
    unsigned owed = 0;      // constant rate: number of batches that are due but not sent
    const batch* sending = nullptr;
    std::uint64_t sent_at = 0, due_at = 0;
    std::uint64_t next_due = 0;  // constant rate: number of the next batch to send
    answer_reader reader;
    message_reader messages;

    unsigned missing() const { return sending ? sending->count() - answered : 0; }

    bool waits() const {
        if (state == is::pausing || state == is::dead) return false;
        return sending || joined || state == is::ending || state == is::connecting || state == is::shaking_hands;
    }

    bool free() const { return !sending && (state == is::open || state == is::closed); }
};

}  // namespace load
