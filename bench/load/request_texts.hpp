// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options.hpp"

namespace load {

/// Bytes that are sent at once: one request or message, or several if pipelined.
struct batch {
    std::string text;
    std::vector<std::size_t> starts;  ///< Offset of each request in `text`.
    bool bodiless = false;            ///< HEAD: the responses have no body.
    statuses wanted;
    std::optional<std::uint64_t> answer_bytes;

    unsigned count() const { return unsigned(starts.size()); }
};

/// Returns the batches that connections rotate through.
std::vector<batch> batches(const options&);

/// Returns the opening handshake of a WebSocket.
batch handshake(const options&);

}  // namespace load
