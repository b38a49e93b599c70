// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "answer_reader.hpp"
#include "request_texts.hpp"
#include "websocket.hpp"

namespace load {

/// One of the connections of a load: a place in the table that has one socket after another.
struct connection {
    enum class is : std::uint8_t {
        closed,
        connecting,
        shaking_hands,  // a WebSocket in the making
        open,
        ending,   // waits for the end of the socket; what still comes does not matter
        pausing,  // failed to connect, and tries again in a moment
        dead,     // failed too often
    };

    std::uint32_t slot = 0;
    is state = is::closed;
    bool parked = false;         // opened, and waits until the others are
    bool announced = false;      // the server said that it closes
    bool receives_once = false;  // and not until the connection ends, since bodies are large
    bool joined = false;         // a broadcast: is part of this round
    int descriptor = -1;
    unsigned failures = 0;  // to connect, one after another
    unsigned served = 0;    // requests of this socket
    unsigned answered = 0;  // requests of the batch; of a broadcast: messages of this round
    unsigned owed = 0;      // constant rate: batches that are due and not sent
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
